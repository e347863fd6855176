import { Link } from "react-router";
import { PageTitle } from "../../components/page-title.tsx";

/** New recovery codes, shown this once. */
export const RecoveryCodes = ({ codes, next }: { codes: string[]; next: string }) => (
  <>
    <PageTitle title="Recovery codes" />
    <h1>Store your recovery codes</h1>
    <p className="lead mb-4">
      If you lose your phone, each of these signs you in once in place of a one-time code. They are shown only now:
      print them, or store them in a password manager.
    </p>
    <ol className="mb-6 grid list-decimal gap-1 pl-8 font-mono select-all" aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
    <Link className="btn btn-primary px-6" to={next}>
      I have stored them
    </Link>
  </>
);
