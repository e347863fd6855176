import { Building2, FileText, House, LifeBuoy, LogOut, Map, TriangleAlert, Users } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { Mark } from "./brand.tsx";
import { useDialog } from "./dialog.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

type May = {
  readCompany: boolean;
  readBranches: boolean;
  createBranches: boolean;
  readUsers: boolean;
  createUsers: boolean;
  readRoles: boolean;
  readDocuments: boolean;
  createDocuments: boolean;
  readAlerts: boolean;
  readMap: boolean;
  readAudit: boolean;
};

/** Links to all pages (`docs/specification.md` section 2) that the access group allows. */
export function Sidebar({ may, theme, openAlerts }: { may: May; theme: string; openAlerts: number }) {
  const { key } = useLocation();
  const { openTo } = useDialog();
  return (
    <nav aria-label="Main">
      {/* Opens the navigation on small screens; new on every page, so that it closes after a choice. */}
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
          <Entry to="/dashboard">
            <House className="ico" />
            Home
          </Entry>
          {(may.readCompany || may.readBranches) && (
            <Group id="n-branches" title="Branches" icon={<Building2 className="ico" />}>
              <Entry to="/branches/profile">Company profile</Entry>
              {may.readBranches && (
                <Entry to="/branches/list" isFor={isBranch}>
                  List of branches
                </Entry>
              )}
              {may.createBranches && <Entry to="/branches/new">Add new branch</Entry>}
            </Group>
          )}
          {(may.readUsers || may.readRoles || may.readAudit) && (
            <Group id="n-users" title="Users" icon={<Users className="ico" />}>
              {may.readUsers && (
                <Entry to="/users/list" isFor={isUser}>
                  Users list
                </Entry>
              )}
              {may.readRoles && (
                <Entry to="/users/roles" isFor={isGroup}>
                  Security roles
                </Entry>
              )}
              {may.createUsers && <Entry to="/users/new">New user</Entry>}
              {may.readAudit && <Entry to="/audit">Audit trail</Entry>}
            </Group>
          )}
          {may.readDocuments && (
            <Group id="n-documents" title="Documents" icon={<FileText className="ico" />}>
              <Entry to="/documents/list" isFor={isDocument}>
                Documents list
              </Entry>
              <Entry to="/documents/archive">Archive</Entry>
              {may.createDocuments && (
                <Entry to="/documents/new" isFor={isWizard}>
                  Add new doc
                </Entry>
              )}
            </Group>
          )}
          {may.readAlerts && (
            <Entry to="/alerts" isFor={isAlert}>
              <TriangleAlert className="ico" />
              Alerts
              {openAlerts > 0 && (
                <span className="nav-count">
                  {openAlerts}
                  <span className="sr-only"> open alerts</span>
                </span>
              )}
            </Entry>
          )}
          {may.readMap && (
            <Entry to="/map">
              <Map className="ico" />
              Map
            </Entry>
          )}
          <Entry to="/help">
            <LifeBuoy className="ico" />
            Help
          </Entry>
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

const isBranch = (path: string) => /^\/branches\/(list|view|edit)/.test(path);
const isGroup = (path: string) => path === "/users/roles" || path === "/users/group";
const isUser = (path: string) => path.startsWith("/users/") && path !== "/users/new" && !isGroup(path);
const isAlert = (path: string) => path === "/alerts" || path.startsWith("/alerts/");
const isWizard = (path: string) => path.startsWith("/documents/new");
/** A document's own pages belong to the list that it was opened from. */
const isDocument = (path: string) => path.startsWith("/documents/") && !isWizard(path) && path !== "/documents/archive";

type EntryProps = { to: string; isFor?: (path: string) => boolean; children: ReactNode };

function Entry({ to, isFor = (path) => path === to, children }: EntryProps) {
  const { pathname } = useLocation();
  return (
    <Link to={to} aria-current={isFor(pathname) ? "page" : undefined}>
      {children}
    </Link>
  );
}

function Group({ id, title, icon, children }: { id: string; title: string; icon: ReactNode; children: ReactNode }) {
  const entries = [children].flat().filter(Boolean) as ReactNode[];
  return (
    <div className="nav-group">
      <p className="nav-title" id={id}>
        {icon}
        {title}
      </p>
      <ul aria-labelledby={id}>
        {entries.map((entry, n) => (
          <li key={n}>{entry}</li>
        ))}
      </ul>
    </div>
  );
}
