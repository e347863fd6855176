import { Building2, FileText, House, LifeBuoy, type LucideIcon, Map, TriangleAlert, Users } from "lucide-react";

/** The rights by which entries are shown. */
export type May = {
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

export type Entry = {
  label: string;
  to: string;
  Icon?: LucideIcon;
  isShown?(may: May): boolean;
  /** Without it, the entry is current on its own page alone. */
  isCurrent?(path: string): boolean;
};
export type Group = { title: string; Icon: LucideIcon; isShown(may: May): boolean; entries: Entry[] };

const isGroupPage = (path: string) => path === "/users/roles" || path === "/users/group";

const branches: Group = {
  title: "Branches",
  Icon: Building2,
  isShown: (may) => may.readCompany || may.readBranches,
  entries: [
    { label: "Company profile", to: "/branches/profile" },
    {
      label: "List of branches",
      to: "/branches/list",
      isShown: (may) => may.readBranches,
      isCurrent: (path) => /^\/branches\/(list|view|edit)/.test(path),
    },
    { label: "Add new branch", to: "/branches/new", isShown: (may) => may.createBranches },
  ],
};

const users: Group = {
  title: "Users",
  Icon: Users,
  isShown: (may) => may.readUsers || may.readRoles || may.readAudit,
  entries: [
    {
      label: "Users list",
      to: "/users/list",
      isShown: (may) => may.readUsers,
      isCurrent: (path) => path.startsWith("/users/") && path !== "/users/new" && !isGroupPage(path),
    },
    { label: "Security roles", to: "/users/roles", isShown: (may) => may.readRoles, isCurrent: isGroupPage },
    { label: "New user", to: "/users/new", isShown: (may) => may.createUsers },
    { label: "Audit trail", to: "/audit", isShown: (may) => may.readAudit },
  ],
};

const documents: Group = {
  title: "Documents",
  Icon: FileText,
  isShown: (may) => may.readDocuments,
  entries: [
    {
      label: "Documents list",
      to: "/documents/list",
      // A document's own pages belong to the list.
      isCurrent: (path) => /^\/documents\/(?!new|archive$)/.test(path),
    },
    { label: "Archive", to: "/documents/archive" },
    {
      label: "Add new doc",
      to: "/documents/new",
      isShown: (may) => may.createDocuments,
      isCurrent: (path) => path.startsWith("/documents/new"),
    },
  ],
};

/** The entries of the main navigation (`docs/specification.md` section 2), but for Logout. */
export const navigation: (Entry | Group)[] = [
  { label: "Home", to: "/dashboard", Icon: House },
  branches,
  users,
  documents,
  {
    label: "Alerts",
    to: "/alerts",
    Icon: TriangleAlert,
    isShown: (may) => may.readAlerts,
    isCurrent: (path) => path === "/alerts" || path.startsWith("/alerts/"),
  },
  { label: "Map", to: "/map", Icon: Map, isShown: (may) => may.readMap },
  { label: "Help", to: "/help", Icon: LifeBuoy },
];
