import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { ListPanel } from "../../components/list/list-panel.tsx";
import { chosenColumns } from "../../components/list/view-columns.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getUser, may, mayInCompany } from "../../server/sessions/current-user.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { viewsOf } from "../../server/lists/views.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/list";
import { branchColumns } from "./branch-columns.tsx";
import { filterLabels, filterNames } from "./filters.ts";
import { NoBranches } from "./no-branches.tsx";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const viewed = await viewsOf(context, url, "branches");
  const query = parseListQuery(url, "listBranches", filterNames);
  return {
    part: omitRowsFromHydration(request, await readList(getProvider(context), "listBranches", query)),
    viewed,
    filters: query.filters,
    mayCreate: mayInCompany(user, "branches", "create"),
    mayEdit: may(user, "branches", "write"),
  };
}

export default function BranchesList({ loaderData }: Route.ComponentProps) {
  const { part, viewed, filters, mayCreate, mayEdit } = loaderData;
  return (
    <>
      <PageTitle title={t("common.branches")} />
      <div className="page-head">
        <h1>{t("common.branches")}</h1>
        {mayCreate && (
          <div className="page-acts">
            <Link className="btn btn-primary" to="/branches/new">
              <Plus className="ico" />
              {t("common.addNewBranch")}
            </Link>
          </div>
        )}
      </div>
      <ListPanel
        caption={t("common.branches")}
        part={part}
        viewed={viewed}
        columns={chosenColumns("branches", branchColumns(mayEdit), viewed.open?.columns)}
        filterFields={Object.entries(filterLabels).map(([name, label]) => ({ name, label }))}
        isBrief
        filters={filters}
        exportAt="/branches/list.csv"
        noMatch={t("branches.list.noMatch")}
        emptyState={<NoBranches mayCreate={mayCreate} />}
      />
    </>
  );
}
