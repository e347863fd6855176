import { LogOut } from "lucide-react";
import { Link, useLocation } from "react-router";
import { Mark } from "./brand.tsx";
import { useDialog } from "./dialog.tsx";
import { type Entry, type Group, type May, navigation } from "./navigation.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

type SidebarProps = { may: May; theme: string; openAlerts: number };

/** The main navigation, without the entries that the user's access group closes. */
export function Sidebar({ may, theme, openAlerts }: SidebarProps) {
  const { key } = useLocation();
  const { openTo } = useDialog();
  return (
    <nav aria-label="Main">
      {/* Opens the navigation on small screens; a new one for every page, so that it closes after a choice. */}
      <input id="nav-open" key={key} type="checkbox" className="nav-toggle sr-only" aria-label="Show the menu" />
      <label htmlFor="nav-open" className="nav-shade">
        <span className="sr-only">Close the menu</span>
      </label>
      <div className="sidebar">
        <Link className="brand" to="/dashboard">
          <Mark />
          Sealdesk
        </Link>
        <div className="nav">
          {shownOf(navigation, may).map((item) =>
            "entries" in item ? (
              <NavGroup key={item.title} {...item} entries={shownOf(item.entries, may)} />
            ) : (
              <NavLink key={item.to} {...item} count={item.to === "/alerts" ? openAlerts : 0} />
            ),
          )}
          <Link to={openTo("logout")} preventScrollReset>
            <LogOut className="ico" />
            Logout
          </Link>
        </div>
        <div className="mt-auto pt-5">
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </nav>
  );
}

const shownOf = <Item extends Entry | Group>(items: Item[], may: May) =>
  items.filter(({ isShown }) => isShown?.(may) ?? true);

function NavLink({ label, to, Icon, isCurrent = (path) => path === to, count = 0 }: Entry & { count?: number }) {
  const { pathname } = useLocation();
  return (
    <Link to={to} aria-current={isCurrent(pathname) ? "page" : undefined}>
      {Icon && <Icon className="ico" />}
      {label}
      {count > 0 && (
        <span className="nav-count">
          {count}
          <span className="sr-only"> open alerts</span>
        </span>
      )}
    </Link>
  );
}

function NavGroup({ title, Icon, entries }: Group) {
  const id = `nav-${title}`;
  return (
    <div className="nav-group">
      <p className="nav-title" id={id}>
        <Icon className="ico" />
        {title}
      </p>
      <ul aria-labelledby={id}>
        {entries.map((entry) => (
          <li key={entry.to}>
            <NavLink {...entry} />
          </li>
        ))}
      </ul>
    </div>
  );
}
