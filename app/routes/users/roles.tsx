import { Plus } from "lucide-react";
import { Link } from "react-router";
import type { AccessGroup } from "#provider/contract/access-groups.ts";
import { areaNames, areas } from "#provider/contract/areas.ts";
import { Empty } from "../../components/empty.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Pagination } from "../../components/pagination.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/roles";
import { Legend, Permission } from "./permission.tsx";

/** Most companies' groups fit on one page. */
const pageSizes = [50, 100];

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  return {
    part: await readList(getProvider(context), "listAccessGroups", parseListQuery(url, [], [], pageSizes)),
    mayCreate: may(user, "roles", "create"),
    mayEdit: may(user, "roles", "write"),
  };
}

export default function AccessGroups({ loaderData: { part, mayCreate, mayEdit } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title="Access groups" />
      <div className="page-head">
        <div>
          <h1>Access groups</h1>
          <p className="lead">What each group can do, and how far it reaches.</p>
        </div>
        {mayCreate && (
          <div className="page-acts flex flex-wrap gap-2">
            <Link className="btn btn-primary" to="/users/group">
              <Plus className="ico" />
              Add group
            </Link>
          </div>
        )}
      </div>
      <section className="panel overflow-hidden" aria-label="Access groups">
        {part.rows.length > 0 ? (
          <>
            <Legend />
            <div className="rule">
              <Table
                caption="Access groups"
                className="data reflow matrix"
                rows={part.rows}
                columns={columns(mayEdit)}
                keyOf={({ id }) => id}
              />
            </div>
            {part.total > pageSizes[0]! && <Pagination part={part} />}
          </>
        ) : (
          <Empty message="There are no access groups." />
        )}
      </section>
    </>
  );
}

const columns = (mayEdit: boolean): Column<AccessGroup>[] => [
  { label: "Name", cell: ({ name }) => name },
  ...areas.map((area) => ({
    label: areaNames[area],
    cell: (group: AccessGroup) => <Permission permission={group[area]} />,
  })),
  {
    label: "Actions",
    className: "act",
    cell: ({ id, name }) => mayEdit && <RowAction to={`/users/group?id=${id}`} verb="Edit" name={name} />,
  },
];
