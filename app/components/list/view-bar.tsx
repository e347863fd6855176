import { Link, useLocation, useSearchParams } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { hidden } from "../text/message-elements.tsx";
import type { viewColumns } from "./view-columns.ts";

type View = { id: number; name: string; to: string; is_own: boolean; is_default: boolean };

export type ViewBarProps = {
  list: keyof typeof viewColumns;
  views: View[];
  open: View | undefined;
  /** Whether the address names a view that is not among them. */
  isMissing: boolean;
  isOffered: boolean;
};

/** What the way to a list without a view is called. */
const wholeLists: Record<keyof typeof viewColumns, string> = {
  documents: t("components.viewBar.allDocuments"),
  archive: t("components.viewBar.allArchived"),
  alerts: t("components.viewBar.allAlerts"),
  users: t("components.viewBar.allUsers"),
  branches: t("components.viewBar.allBranches"),
};

/** How many views are in sight before the others have to be unfolded. */
const inSight = 8;

/** What a list shows, as the form of views takes it. */
export function viewQuery(list: string, parameters: URLSearchParams) {
  const filters = new URLSearchParams(parameters);
  for (const name of ["view", "page", "after", "before", "dialog"]) filters.delete(name);
  return new URLSearchParams({ list, query: filters.toString() });
}

/** A list's saved views. */
export function ViewBar({ list, views, open, isMissing, isOffered }: ViewBarProps) {
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  if (!isOffered || (views.length === 0 && !isMissing)) return null;
  const rank = (view: View) => (view.id === open?.id ? 3 : view.is_default ? 2 : view.is_own ? 1 : 0);
  const first = new Set(views.toSorted((one, other) => rank(other) - rank(one)).slice(0, inSight));
  const others = views.filter((view) => !first.has(view));
  const link = ({ id, name, to }: View) => (
    <Link key={id} to={to} aria-current={id === open?.id ? "true" : undefined} data-discard>
      {name}
    </Link>
  );
  return (
    <nav className="view-bar print-hidden" aria-label={t("components.viewBar.savedViews")}>
      {views.length > 0 && (
        <Link to={`${pathname}?view=all`} aria-current={open ? undefined : "true"} data-discard>
          {wholeLists[list]}
        </Link>
      )}
      {views.filter((view) => first.has(view)).map(link)}
      {others.length > 0 && (
        <details className="more-views" key={pathname + (open?.id ?? "")}>
          <summary>{t("components.viewBar.moreViews", { count: others.length })}</summary>
          <div>{others.map(link)}</div>
        </details>
      )}
      {open && (
        <Link className="sm:ml-auto" to={`/views/${open.id}?${viewQuery(list, parameters)}`}>
          {tRich("components.viewBar.change", { name: open.name, hidden })}
        </Link>
      )}
      {isMissing && <p className="w-full">{t("components.viewBar.noSuchView")}</p>}
    </nav>
  );
}
