import { data, Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import { beginPath, requireSingleSignOn } from "../../server/sessions/single-sign-on.ts";
import type { Route } from "./+types/company-sign-in";

/** A company's own sign-in address. Its random end is the company's to give away: no page lists companies. */
export async function loader({ context, params: { address }, url }: Route.LoaderArgs) {
  requireSingleSignOn();
  const { identity_provider: host, company } = await getProvider(context).signInWays({ query: { address } });
  if (host === null || company === null) return data({ host, company: "", path: "" }, { status: 404 });
  return { host, company, path: beginPath(address, url) };
}

export default function CompanySignIn({ loaderData: { host, company, path } }: Route.ComponentProps) {
  if (host === null) return <Unknown />;
  return (
    <>
      <PageTitle title={t("common.signIn")} />
      <h1>{t("common.signIn")}</h1>
      <p className="lead mb-6 [overflow-wrap:anywhere]">{t("guest.companySignIn.usersSignInAt", { company, host })}</p>
      <p className="flex flex-wrap items-center gap-3">
        <a className="btn btn-primary h-auto min-h-10 px-6 py-2" href={path} rel="nofollow">
          {t("common.signInWithHost", { host })}
        </a>
        <Link className="inline-flex min-h-10 items-center font-medium" to="/login">
          {t("guest.companySignIn.otherWays")}
        </Link>
      </p>
    </>
  );
}

const Unknown = () => (
  <>
    <PageTitle title={t("guest.companySignIn.unknownSignInAddress")} />
    <h1>{t("guest.companySignIn.unknownSignInAddress")}</h1>
    <p className="lead mb-6" role="alert">
      {t("guest.companySignIn.checkTheAddress")}
    </p>
    <Link className="btn btn-primary" to="/login">
      {t("common.goToSignIn")}
    </Link>
  </>
);
