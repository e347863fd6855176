import { Building2, FileText, House, LifeBuoy, type LucideIcon, Map, TriangleAlert, Users } from "lucide-react";
import { t } from "#lib/messages/staff.ts";

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
  { Icon: House, to: "/dashboard", label: t("components.navigation.home") },
  {
    Icon: Building2,
    id: "branches",
    title: t("common.branches"),
    pages: [
      { to: "/branches/profile", label: t("common.companyProfile"), needs: ["readCompany", "readBranches"] },
      {
        to: "/branches/list",
        label: t("components.navigation.listOfBranches"),
        needs: ["readBranches"],
        covers: /^\/branches\/(list|view|edit)/,
      },
      { to: "/branches/new", label: t("common.addNewBranch"), needs: ["createBranches"] },
      { to: "/webhooks", label: t("common.webhooks"), needs: ["manageWebhooks"], covers: /^\/webhooks(\/|$)/ },
    ],
  },
  {
    Icon: Users,
    id: "users",
    title: t("common.users"),
    pages: [
      {
        to: "/users/list",
        label: t("components.navigation.usersList"),
        needs: ["readUsers"],
        covers: /^\/users\/(?!(new|roles|group)$)/,
      },
      {
        to: "/users/roles",
        label: t("components.navigation.securityRoles"),
        needs: ["readRoles"],
        covers: /^\/users\/(roles|group)$/,
      },
      { to: "/users/new", label: t("components.navigation.newUser"), needs: ["createUsers"] },
      { to: "/audit", label: t("common.auditTrail"), needs: ["readAudit"] },
    ],
  },
  {
    Icon: FileText,
    id: "documents",
    title: t("common.documents"),
    pages: [
      // A document's own pages belong to the list that it was opened from.
      {
        to: "/documents/list",
        label: t("components.navigation.documentsList"),
        needs: ["readDocuments"],
        covers: /^\/documents\/(?!new|(archive|calendar)$|bulk(\/|$))/,
      },
      { to: "/documents/archive", label: t("common.theArchive"), needs: ["readDocuments"] },
      { to: "/documents/calendar", label: t("common.calendar"), needs: ["readCalendar"] },
      {
        to: "/documents/new",
        label: t("components.navigation.addNewDoc"),
        needs: ["createDocuments"],
        covers: /^\/documents\/new/,
      },
      { to: "/documents/bulk", label: t("common.issueMany"), needs: ["issueMany"], covers: /^\/documents\/bulk/ },
    ],
  },
  { Icon: TriangleAlert, to: "/alerts", label: t("common.alerts"), needs: ["readAlerts"], covers: /^\/alerts(\/|$)/ },
  { Icon: Map, to: "/map", label: t("common.map"), needs: ["readMap"] },
  { Icon: LifeBuoy, to: "/help", label: t("common.help"), needs: ["readHelp"] },
];
