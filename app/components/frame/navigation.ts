import { Building2, FileText, House, LifeBuoy, type LucideIcon, Map, TriangleAlert, Users } from "lucide-react";
import { say } from "#lib/messages/staff.ts";

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
type NavigationEntry = { Icon: LucideIcon } & (NavigationPage | { id: string; title: string; pages: NavigationPage[] });

/** The way to every page, all in sight (`docs/specification.md` section 2). */
export const entries: NavigationEntry[] = [
  { Icon: House, to: "/dashboard", label: say("components.navigation.home") },
  {
    Icon: Building2,
    id: "branches",
    title: say("common.branches"),
    pages: [
      { to: "/branches/profile", label: say("common.companyProfile"), needs: ["readCompany", "readBranches"] },
      {
        to: "/branches/list",
        label: say("components.navigation.listOfBranches"),
        needs: ["readBranches"],
        covers: /^\/branches\/(list|view|edit)/,
      },
      { to: "/branches/new", label: say("common.addNewBranch"), needs: ["createBranches"] },
      { to: "/webhooks", label: say("common.webhooks"), needs: ["manageWebhooks"], covers: /^\/webhooks(\/|$)/ },
    ],
  },
  {
    Icon: Users,
    id: "users",
    title: say("common.users"),
    pages: [
      {
        to: "/users/list",
        label: say("components.navigation.usersList"),
        needs: ["readUsers"],
        covers: /^\/users\/(?!(new|roles|group)$)/,
      },
      {
        to: "/users/roles",
        label: say("components.navigation.securityRoles"),
        needs: ["readRoles"],
        covers: /^\/users\/(roles|group)$/,
      },
      { to: "/users/new", label: say("components.navigation.newUser"), needs: ["createUsers"] },
      { to: "/audit", label: say("common.auditTrail"), needs: ["readAudit"] },
    ],
  },
  {
    Icon: FileText,
    id: "documents",
    title: say("common.documents"),
    pages: [
      // A document's own pages belong to the list that it was opened from.
      {
        to: "/documents/list",
        label: say("components.navigation.documentsList"),
        needs: ["readDocuments"],
        covers: /^\/documents\/(?!new|(archive|calendar)$|bulk(\/|$))/,
      },
      { to: "/documents/archive", label: say("common.theArchive"), needs: ["readDocuments"] },
      { to: "/documents/calendar", label: say("common.calendar"), needs: ["readCalendar"] },
      {
        to: "/documents/new",
        label: say("components.navigation.addNewDoc"),
        needs: ["createDocuments"],
        covers: /^\/documents\/new/,
      },
      { to: "/documents/bulk", label: say("common.issueMany"), needs: ["issueMany"], covers: /^\/documents\/bulk/ },
    ],
  },
  { Icon: TriangleAlert, to: "/alerts", label: say("common.alerts"), needs: ["readAlerts"], covers: /^\/alerts(\/|$)/ },
  { Icon: Map, to: "/map", label: say("common.map"), needs: ["readMap"] },
  { Icon: LifeBuoy, to: "/help", label: say("common.help"), needs: ["readHelp"] },
];
