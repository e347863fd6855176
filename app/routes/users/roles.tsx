import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { AccessGroup } from "#provider/contract/access-groups.ts";
import { areas } from "#provider/contract/areas.ts";
import { Empty } from "../../components/list/empty.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { Pagination } from "../../components/list/pagination.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/roles";
import { areaNames } from "../../components/user/area-words.ts";
import { membersInWords } from "./group-words.ts";
import { Legend, Permission } from "./permission.tsx";

/** Most companies' groups fit on one page. */
const pageSizes = [50, 100];

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  return {
    part: await readList(
      getProvider(context),
      "listAccessGroups",
      parseListQuery(url, "listAccessGroups", [], pageSizes),
    ),
    mayCreate: may(user, "roles", "create"),
    mayEdit: may(user, "roles", "write"),
    maySeeMembers: may(user, "users", "read"),
  };
}

export default function AccessGroups({ loaderData: { part, ...rights } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title={t("common.securityRoles")} />
      <div className="page-head">
        <div>
          <h1>{t("common.securityRoles")}</h1>
          <p className="lead">{t("users.roles.lead")}</p>
        </div>
        {rights.mayCreate && (
          <div className="page-acts">
            <Link className="btn btn-primary" to="/users/group">
              <Plus className="ico" />
              {t("users.roles.addGroup")}
            </Link>
          </div>
        )}
      </div>
      <section className="panel overflow-hidden" aria-label={t("common.accessGroups")}>
        {part.rows.length > 0 ? (
          <>
            <Legend />
            <div className="rule">
              <Table
                caption={t("common.accessGroups")}
                className="data reflow matrix"
                rows={part.rows}
                columns={columns(rights)}
                keyOf={({ id }) => id}
              />
            </div>
            {part.total > pageSizes[0]! && <Pagination part={part} />}
          </>
        ) : (
          <Empty message={t("users.roles.none")} />
        )}
      </section>
    </>
  );
}

type Rights = { mayCreate: boolean; mayEdit: boolean; maySeeMembers: boolean };

const columns = ({ mayCreate, mayEdit, maySeeMembers }: Rights): Column<AccessGroup>[] => [
  {
    label: t("common.name"),
    cell: ({ id, name, members }) => (
      <>
        <a className="main" translate="no" href={`/users/group?id=${id}`}>
          {name}
        </a>
        {members !== undefined && (
          <small className="mt-1">
            {maySeeMembers ? (
              <a
                className="inline-block py-0.5 leading-5"
                href={`/users/group?id=${id}&tab=members`}
                aria-label={t("users.roles.membersOf", { members, name })}
              >
                {membersInWords(members)}
              </a>
            ) : (
              membersInWords(members)
            )}
          </small>
        )}
      </>
    ),
  },
  ...areas.map((area) => ({
    label: areaNames[area],
    cell: (group: AccessGroup) => <Permission permission={group[area]} />,
  })),
  {
    label: t("common.actions"),
    className: "act",
    cell: ({ id, name }) => (
      <>
        {mayEdit && <RowAction to={`/users/group?id=${id}`} verb={t("common.edit")} name={name} />}
        {mayCreate && <RowAction to={`/users/group?copy=${id}`} verb={t("users.roles.copy")} name={name} />}
      </>
    ),
  },
];
