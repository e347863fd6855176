import { Link } from "react-router";
import { say } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";

/** New recovery codes, shown this once. */
export const RecoveryCodes = ({ codes, next }: { codes: string[]; next: string }) => (
  <>
    <PageTitle title={say("common.recoveryCodes")} />
    <h1>{say("guest.recoveryCodes.storeYourRecoveryCodes")}</h1>
    <p className="lead mb-4">{say("guest.recoveryCodes.whatTheyAreFor")}</p>
    <ol className="mb-6 grid list-decimal gap-1 pl-8 font-mono select-all" aria-label={say("common.recoveryCodes")}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
    <Link className="btn btn-primary px-6" to={next}>
      {say("guest.recoveryCodes.iHaveStoredThem")}
    </Link>
  </>
);
