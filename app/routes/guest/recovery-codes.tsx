import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";

/** New recovery codes, shown this once. */
export const RecoveryCodes = ({ codes, next }: { codes: string[]; next: string }) => (
  <>
    <PageTitle title={t("common.recoveryCodes")} />
    <h1>{t("guest.recoveryCodes.storeYourRecoveryCodes")}</h1>
    <p className="lead mb-4">{t("guest.recoveryCodes.whatTheyAreFor")}</p>
    <ol className="mb-6 grid list-decimal gap-1 pl-8 font-mono select-all" aria-label={t("common.recoveryCodes")}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
    <Link className="btn btn-primary px-6" to={next}>
      {t("guest.recoveryCodes.iHaveStoredThem")}
    </Link>
  </>
);
