import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/figures";
import { CaseFigures } from "./case-figures.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const [figures, mine] = await Promise.all([
    provider.alertFigures(),
    provider.list("listAlerts", { owner: "me", state: "open", page: "1", per_page: "1" }),
  ]);
  return { figures, mine: mine.total ?? mine.rows.length };
}

/** How soon alerts were looked at and completed, for those who supervise it. */
export default function AlertFigures({ loaderData: { figures, mine } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title={t("common.howAlertsWereHandled")} />
      <BackLink to="/alerts">{t("common.backToTheListOfAlerts")}</BackLink>
      <div className="page-head mt-1">
        <h1>{t("common.howAlertsWereHandled")}</h1>
        <Link className="btn btn-quiet" to="/alerts?owner=me&state=open">
          {mine === 0 ? t("alerts.caseFigures.mineNone") : t("alerts.caseFigures.mine", { count: mine })}
        </Link>
      </div>
      <CaseFigures figures={figures} />
    </>
  );
}
