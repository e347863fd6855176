import { LogOut, type LucideIcon } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Link, useLocation, useMatches } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";
import { hidden } from "../text/message-elements.tsx";
import { Mark } from "./brand.tsx";
import { useDialog } from "../dialog/dialog.tsx";
import { settingsPaths } from "./settings-paths.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

export type NavigationPage = {
  to: string;
  label: string;
  /** The paths where it is the current page, if those are more than its own. */
  covers?: RegExp;
};
export type NavigationEntry = { Icon: LucideIcon } & (
  | NavigationPage
  | { id: string; title: string; pages: NavigationPage[] }
);

/** What of a page waits for the user, by the page's address. */
type Waiting = Record<string, number>;

type SidebarProps = { entries: NavigationEntry[]; theme: string; waiting: Waiting };

/** The main navigation. */
export function Sidebar({ entries, theme, waiting }: SidebarProps) {
  const { key } = useLocation();
  const { openTo } = useDialog();
  const path = useCurrentPath();
  useEffect(() => {
    document.addEventListener("focusin", closeBehindFocus);
    return () => document.removeEventListener("focusin", closeBehindFocus);
  }, []);
  return (
    <nav aria-label={t("components.sidebar.main")}>
      {/* On small screens it is opened by the header's button; new on every page, so that it closes after a choice. */}
      <div className="sidebar" id="menu" popover="auto" key={key}>
        <div className="flex items-center justify-between">
          <Link className="brand" to="/dashboard">
            <Mark />
            {t("common.sealdesk")}
          </Link>
          <button
            type="button"
            className="btn btn-plain !px-2 !text-base-content lg:hidden"
            popoverTarget="menu"
            popoverTargetAction="hide"
          >
            {t("common.close")}
          </button>
        </div>
        <div className="nav">
          {entries.map(({ Icon, ...entry }) => {
            if ("pages" in entry) {
              return <Group key={entry.id} {...entry} {...{ Icon, path, waiting }} />;
            }
            return <PageLink key={entry.to} page={entry} {...{ path, Icon, waiting }} />;
          })}
          <Link to={openTo("logout")} preventScrollReset>
            <LogOut className="ico" />
            {t("common.logout")}
          </Link>
        </div>
        <div className="mt-auto pt-5">
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </nav>
  );
}

/** Closes the navigation where it lies over the page, once the focus goes to what it covers. */
function closeBehindFocus({ target }: FocusEvent) {
  const menu = document.getElementById("menu");
  if (menu && !menu.contains(target as Node) && menu.matches(":popover-open")) menu.hidePopover();
}

/** The path of the page that is shown; none of Settings' pages, and of an archived document and its form the archive's. */
function useCurrentPath() {
  const { pathname } = useLocation();
  const pageData = useMatches().at(-1)?.loaderData as { document?: { status?: string } } | undefined;
  if (settingsPaths.test(pathname)) return "";
  return pageData?.document?.status === "archived" ? "/documents/archive" : pathname.replace(/(.)\/$/, "$1");
}

type PageLinkProps = {
  page: NavigationPage;
  path: string;
  Icon?: LucideIcon;
  waiting: Waiting;
};

const waitingLinks: Record<string, { to: string; words(count: number): ReactNode }> = {
  "/alerts": {
    to: "/alerts?state=open",
    words: (count) => tRich("components.sidebar.openAlerts", { count, hidden }),
  },
  "/documents/list": {
    to: "/documents/releases",
    words: (count) => tRich("components.sidebar.awaitingRelease", { count, hidden }),
  },
};

function PageLink({ page: { to, label, covers }, path, Icon, waiting }: PageLinkProps) {
  const count = waiting[to] ?? 0;
  const isCurrent = covers ? covers.test(path) : path === to;
  const link = (
    <Link to={to} aria-current={isCurrent ? "page" : undefined}>
      {Icon && <Icon className="ico" />}
      {label}
    </Link>
  );
  const badge = waitingLinks[to];
  if (count === 0 || !badge) return link;
  return (
    <div className="nav-row">
      {link}
      <Link className="nav-count" to={badge.to}>
        {badge.words(count)}
      </Link>
    </div>
  );
}

type GroupProps = {
  id: string;
  title: string;
  Icon: LucideIcon;
  pages: NavigationPage[];
  path: string;
  waiting: Waiting;
};

function Group({ id, title, Icon, pages, ...more }: GroupProps) {
  if (pages.length === 0) return null;
  return (
    <div className="nav-group">
      <p className="nav-title" id={`n-${id}`}>
        <Icon className="ico" />
        {title}
      </p>
      <ul aria-labelledby={`n-${id}`}>
        {pages.map((page) => (
          <li key={page.to}>
            <PageLink page={page} {...more} />
          </li>
        ))}
      </ul>
    </div>
  );
}
