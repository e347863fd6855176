import { Building2, FileText, House, LifeBuoy, type LucideIcon, Map, TriangleAlert, Users } from "lucide-react";

type NavigationRight =
  | "readCompany"
  | "readBranches"
  | "createBranches"
  | "readUsers"
  | "createUsers"
  | "readRoles"
  | "readDocuments"
  | "readCalendar"
  | "createDocuments"
  | "issueMany"
  | "readAlerts"
  | "readMap"
  | "readHelp"
  | "manageWebhooks"
  | "readAudit";
export type May = Record<NavigationRight, boolean>;

export type NavigationPage = {
  to: string;
  label: string;
  /** Any of these rights shows it; everyone sees it if not set. */
  needs?: NavigationRight[];
  /** The paths where it is the current page, if those are more than its own. */
  covers?: RegExp;
};
type NavigationEntry = { Icon: LucideIcon } & (NavigationPage | { title: string; pages: NavigationPage[] });

/** The way to every page, all in sight (`docs/specification.md` section 2). */
export const entries: NavigationEntry[] = [
  { Icon: House, to: "/dashboard", label: "Home" },
  {
    Icon: Building2,
    title: "Branches",
    pages: [
      { to: "/branches/profile", label: "Company profile", needs: ["readCompany", "readBranches"] },
      {
        to: "/branches/list",
        label: "List of branches",
        needs: ["readBranches"],
        covers: /^\/branches\/(list|view|edit)/,
      },
      { to: "/branches/new", label: "Add new branch", needs: ["createBranches"] },
      { to: "/webhooks", label: "Webhooks", needs: ["manageWebhooks"], covers: /^\/webhooks(\/|$)/ },
    ],
  },
  {
    Icon: Users,
    title: "Users",
    pages: [
      { to: "/users/list", label: "Users list", needs: ["readUsers"], covers: /^\/users\/(?!(new|roles|group)$)/ },
      { to: "/users/roles", label: "Security roles", needs: ["readRoles"], covers: /^\/users\/(roles|group)$/ },
      { to: "/users/new", label: "New user", needs: ["createUsers"] },
      { to: "/audit", label: "Audit trail", needs: ["readAudit"] },
    ],
  },
  {
    Icon: FileText,
    title: "Documents",
    pages: [
      // A document's own pages belong to the list that it was opened from.
      {
        to: "/documents/list",
        label: "Documents list",
        needs: ["readDocuments"],
        covers: /^\/documents\/(?!new|(archive|calendar)$|bulk(\/|$))/,
      },
      { to: "/documents/archive", label: "Archive", needs: ["readDocuments"] },
      { to: "/documents/calendar", label: "Calendar", needs: ["readCalendar"] },
      { to: "/documents/new", label: "Add new doc", needs: ["createDocuments"], covers: /^\/documents\/new/ },
      { to: "/documents/bulk", label: "Issue many", needs: ["issueMany"], covers: /^\/documents\/bulk/ },
    ],
  },
  { Icon: TriangleAlert, to: "/alerts", label: "Alerts", needs: ["readAlerts"], covers: /^\/alerts(\/|$)/ },
  { Icon: Map, to: "/map", label: "Map", needs: ["readMap"] },
  { Icon: LifeBuoy, to: "/help", label: "Help", needs: ["readHelp"] },
];
