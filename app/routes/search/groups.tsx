import { fold } from "#lib/text.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Found, FoundDocument } from "#provider/contract/search.ts";
import { AlertCell } from "../../components/scan/alert-cell.tsx";
import { showDate } from "../../components/text/format.ts";
import { Marked } from "../../components/text/marked.tsx";
import { EndedChip, StateChip } from "../../components/scan/state-chip.tsx";

export type FoundPage = { to: string; label: string; hint: string };

/** What was found, a panel for each kind. */
export function Groups({ q, found, pages }: { q: string; found: Found; pages: FoundPage[] }) {
  const { documents, users, branches, alerts, help } = found;
  const mark = (text: string, max?: number) => <Marked text={text} find={q} {...(max && { max })} />;
  const isIn = (text: string) => fold(text).includes(fold(q));
  return (
    <div className="flex flex-col gap-5" aria-label={t("common.results")} role="region">
      <Group
        id="documents"
        title={t("common.documents")}
        list={documents}
        rest={documentLists(q, documents.rows, isIn)}
        noList={noCustomFilter}
      >
        {documents.rows.map((row) => (
          <li key={row.id}>
            <Link to={`/documents/${row.id}`}>{mark(row.name)}</Link>{" "}
            {row.status === "archived" && <StateChip state="archived" />} <EndedChip validity={row.validity} />
            <p>
              {mark(row.number)} · {showDate(row.date)}
              {row.user && ` · ${row.user}`}
            </p>
            {row.found_in && (
              <p>
                {row.found_in.name}: {mark(row.found_in.value, 160)}
              </p>
            )}
          </li>
        ))}
      </Group>
      <Group
        id="users"
        title={t("common.users")}
        list={users}
        rest={userLists(
          q,
          users.rows.some(({ name }) => isIn(name)),
        )}
      >
        {users.rows.map(({ id, name, email, role }) => (
          <li key={id}>
            <Link to={`/users/view/${id}`}>{mark(name || email)}</Link>
            <p>
              {mark(email)}
              {role && ` · ${role}`}
            </p>
          </li>
        ))}
      </Group>
      <Group
        id="branches"
        title={t("common.branches")}
        list={branches}
        rest={[to("/branches/list", "name", q, t("search.groups.allBranches", { q }))]}
      >
        {branches.rows.map(({ id, name, city, country }) => (
          <li key={id}>
            <Link to={`/branches/view/${id}`}>{mark(name)}</Link>
            <p>{[city, country].filter(Boolean).join(", ")}</p>
          </li>
        ))}
      </Group>
      <Group
        id="alerts"
        title={t("common.alerts")}
        list={alerts}
        rest={
          alerts.rows.some(({ document }) => isIn(document))
            ? [to("/alerts", "name", q, t("search.groups.allAlerts", { q }))]
            : []
        }
      >
        {alerts.rows.map(({ id, number, document, alert, status, date }) => (
          <li key={id}>
            <Link to={`/alerts/${id}`}>{mark(number)}</Link>
            <div className="my-1 w-fit">
              <AlertCell alert={alert} status={status} />
            </div>
            <p>
              {mark(document)} · {showDate(date.slice(0, 10))}
            </p>
          </li>
        ))}
      </Group>
      <Pages pages={pages} mark={mark} />
      <Group
        id="help"
        title={t("common.help")}
        list={help}
        rest={[to("/help", "search", q, t("search.groups.allAnswers", { q }))]}
      >
        {help.rows.map(({ id, question, answer }) => (
          <li key={id}>
            <Link to={`/help?${new URLSearchParams({ search: question })}`}>{mark(question)}</Link>
            <p>{mark(answer, 200)}</p>
          </li>
        ))}
      </Group>
    </div>
  );
}

type PagesProps = { pages: FoundPage[]; mark: (text: string) => ReactNode };

/** Pages that are in no navigation. */
const Pages = ({ pages, mark }: PagesProps) => (
  <Group id="pages" title={t("search.groups.settingsAndPages")} list={{ rows: pages, more: false }} rest={[]}>
    {pages.map(({ to: address, label, hint }) => (
      <li key={address}>
        <Link to={address}>{mark(label)}</Link>
        <p>{mark(hint)}</p>
      </li>
    ))}
  </Group>
);

type Rest = { to: string; label: string };

/** A list with its filter set. */
const to = (path: string, filter: string, q: string, label: string): Rest => ({
  to: `${path}?${new URLSearchParams({ [filter]: q })}`,
  label,
});

/** The lists that filter by what was found: names, or else numbers. Lists have no filter for custom fields. */
function documentLists(q: string, rows: FoundDocument[], isIn: (text: string) => boolean): Rest[] {
  const filter = rows.some(({ name }) => isIn(name)) ? "name" : rows.some(({ number }) => isIn(number)) ? "number" : "";
  if (!filter) return [];
  const isArchived = rows.some(({ status }) => status === "archived");
  const isListed = rows.some(({ status }) => status !== "archived");
  return [
    ...(isListed ? [to("/documents/list", filter, q, t("search.groups.allDocuments", { q }))] : []),
    ...(isArchived ? [to("/documents/archive", filter, q, t("search.groups.allArchived", { q }))] : []),
  ];
}

const userLists = (q: string, isNamed: boolean) => [
  to("/users/list", isNamed ? "name" : "email", q, t("search.groups.allUsers", { q })),
];

const noCustomFilter = t("search.groups.moreByCustomFields");

type GroupProps = {
  id: string;
  title: string;
  list: { rows: unknown[]; more: boolean };
  rest: Rest[];
  /** Why no list shows the others. */
  noList?: string;
  children: ReactNode;
};

function Group({ id, title, list, rest, noList, children }: GroupProps) {
  if (list.rows.length === 0) return null;
  return (
    <section className="panel overflow-hidden" aria-labelledby={`found-${id}`}>
      <div className="panel-head">
        <h2 id={`found-${id}`}>{title}</h2>
        <p className="text-sm text-muted">
          {list.more
            ? t("search.groups.theFirst", { count: list.rows.length })
            : t("search.groups.countFound", { count: list.rows.length })}
        </p>
      </div>
      <ul className="found">{children}</ul>
      {noList && list.more && rest.length === 0 && <p className="panel-foot text-sm text-muted">{noList}</p>}
      {rest.length > 0 && (
        <p className="panel-foot flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {rest.map(({ to: address, label }) => (
            <Link key={address} to={address}>
              {label}
            </Link>
          ))}
        </p>
      )}
    </section>
  );
}
