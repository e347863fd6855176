import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import type { User } from "#provider/contract/users.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { dayOf, showDate } from "../../components/text/format.ts";
import { Empty } from "../../components/list/empty.tsx";
import { ListPanel } from "../../components/list/list-panel.tsx";
import { RowAction } from "../../components/list/row-action.tsx";
import { chosenColumns } from "../../components/list/view-columns.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { RoleTag } from "../../components/user/role-tag.tsx";
import type { ListColumn } from "../../components/list/table.tsx";
import { getUser, may, timeZoneOf } from "../../server/sessions/current-user.ts";
import { selectionOf } from "../../server/lists/selection.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { viewsOf } from "../../server/lists/views.ts";
import { takeHandedLink } from "../../server/sessions/session.ts";
import type { Route } from "./+types/list";
import { filterLabels } from "./filters.ts";
import { parseUserQuery } from "./filters.server.ts";
import { InvitationLink } from "./invitation-link.tsx";
import { readUsers } from "./read-users.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const viewed = await viewsOf(context, url, "users");
  const query = parseUserQuery(url);
  const { part, isNamed } = await readUsers(context, query);
  return {
    part: omitRowsFromHydration(request, part),
    isNamed,
    viewed,
    selection: selectionOf(context, query.filters.active === "0" ? "removed users" : "users", "users", query.filters),
    filters: query.filters,
    handed: takeHandedLink(context),
    timeZone: timeZoneOf(user),
    mayCreate: may(user, "users", "create"),
    mayEdit: may(user, "users", "write"),
  };
}

export default function UsersList({ loaderData }: Route.ComponentProps) {
  const { part, isNamed, viewed, mayCreate, mayEdit, handed, timeZone } = loaderData;
  const { active, ...filters } = loaderData.filters;
  const isOfRemoved = active === "0";
  const title = isOfRemoved ? t("users.list.removedUsers") : t("common.users");
  return (
    <>
      <PageTitle title={title} />
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {isNamed && <p className="lead">{t("users.list.namedAlone")}</p>}
        </div>
        <div className="page-acts">
          {mayCreate && !isOfRemoved && (
            <Link className="btn btn-primary" to="/users/new">
              <Plus className="ico" />
              {t("users.list.addNewUser")}
            </Link>
          )}
          {mayEdit && (
            <Link className="btn btn-plain" to={isOfRemoved ? "/users/list" : removed}>
              {isOfRemoved ? t("common.users") : t("users.list.removedUsers")}
            </Link>
          )}
        </div>
      </div>
      {handed && <InvitationLink {...handed} />}
      <ListPanel
        caption={title}
        preserve={isOfRemoved ? { active } : undefined}
        resetTo={isOfRemoved ? removed : undefined}
        part={part}
        viewed={viewed}
        columns={chosenColumns("users", columns(mayEdit, timeZone), viewed.open?.columns)}
        selection={loaderData.selection}
        boxLabel={({ name }) => name}
        filterFields={Object.entries(filterLabels).map(([name, label]) => ({
          name,
          label,
          isFolded: ["index", "country", "city"].includes(name),
        }))}
        isBrief
        filters={filters}
        exportAt="/users/list.csv"
        noMatch={t("users.list.noMatch")}
        emptyState={<Empty message={isOfRemoved ? t("users.list.noneRemoved") : t("users.list.none")} />}
      />
    </>
  );
}

/** The list of removed users. */
const removed = "/users/list?active=0";

const columns = (mayEdit: boolean, timeZone: string): ListColumn<User, SortOf<"listUsers">>[] => [
  {
    label: t("users.list.nameEmail"),
    sort: "name",
    cell: ({ id, name, email, active, invited_at }) => (
      <>
        <a className="main" translate="no" href={`/users/view/${id}`}>
          {name}
        </a>
        <small>{email}</small>
        {active && invited_at && (
          <small className="!text-warn">
            {tRich("users.list.invitedOn", {
              date: showDate(dayOf(invited_at, timeZone)),
              nowrap: (words) => <span className="whitespace-nowrap">{words}</span>,
            })}
          </small>
        )}
      </>
    ),
  },
  { label: t("common.role"), sort: "role", className: "beside", cell: ({ role }) => <RoleTag role={role} /> },
  { label: t("common.country"), sort: "country", className: "wide", cell: ({ country }) => country },
  { label: t("common.city"), sort: "city", className: "wide", cell: ({ city }) => city },
  {
    label: t("common.index"),
    sort: "index",
    className: "wide",
    cell: ({ index }) => index && <span className="whitespace-nowrap">{index}</span>,
  },
  { label: t("common.branch"), sort: "branch", className: "wide", cell: ({ branch }) => branch },
  {
    label: t("common.actions"),
    className: "act spare",
    cell: ({ id, name }) => (
      <>
        {mayEdit && <RowAction to={`/users/edit/${id}`} verb={t("common.edit")} name={name} />}
        <RowAction to={`/users/view/${id}`} verb={t("common.info")} name={name} />
      </>
    ),
  },
];
