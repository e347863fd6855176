import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";

type NotSignedInProps = {
  /** Why, in a sentence or two. */
  message: string;
  /** Where to begin again; undefined if that would end the same. */
  again?: string | undefined;
};

/** A sign-in that ended without a session. */
export const NotSignedIn = ({ message, again }: NotSignedInProps) => (
  <>
    <PageTitle title={t("guest.notSignedIn.notSignedIn")} hasErrors />
    <h1>{t("guest.notSignedIn.notSignedIn")}</h1>
    <p className="lead mb-6 [overflow-wrap:anywhere]" role="alert">
      {message}
    </p>
    <p className="flex flex-wrap gap-3">
      {again && (
        <a className="btn btn-primary" href={again}>
          {t("common.tryAgain")}
        </a>
      )}
      <Link className="btn btn-quiet" to="/login">
        {t("common.goToSignIn")}
      </Link>
    </p>
  </>
);
