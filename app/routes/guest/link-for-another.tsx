import { Link, useLocation } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";

type LinkForAnotherProps = {
  /** Whom the link is for; undefined if the provider does not say it. */
  name: string | undefined;
  user: string;
};

/** In place of what a link leads to, if a user is signed in. */
export function LinkForAnother({ name, user }: LinkForAnotherProps) {
  const { pathname, search } = useLocation();
  return (
    <>
      <PageTitle title={t("guest.linkForAnother.youAreSignedIn")} />
      <h1>{t("guest.linkForAnother.youAreSignedIn")}</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">
        {name ? t("guest.linkForAnother.forName", { name, user }) : t("guest.linkForAnother.forUnknown", { user })}{" "}
        {t("guest.linkForAnother.stays")}
      </p>
      <Form method="post" action={`/logout?${new URLSearchParams({ next: pathname + search })}`}>
        <div className="flex flex-wrap items-center gap-3">
          <button className="btn btn-primary px-6" type="submit">
            {t("guest.linkForAnother.logOutAndGoOn")}
          </button>
          <Link className="btn btn-quiet [overflow-wrap:anywhere]" to="/dashboard">
            {t("guest.linkForAnother.stay", { user })}
          </Link>
        </div>
      </Form>
    </>
  );
}
