import { Building2, FileText, House, LifeBuoy, type LucideIcon, Map, TriangleAlert, Users } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import type { Area, Right } from "#provider/contract/areas.ts";
import type { NavigationEntry, NavigationPage } from "../../components/frame/sidebar.tsx";
import type { Offers } from "../../server/provider/offers.ts";

/** A right that opens a page, to any records or to all of the company's, if the provider offers the page's calls; all offer some `always`. */
type Need = { area: Area; right: Right; inCompany?: true; offer: keyof Offers | "always" };
/** Any of the needs shows a page. */
type RightfulPage = NavigationPage & { needs: Need[] | "nothing" };
type Entry = { Icon: LucideIcon } & (RightfulPage | { id: string; title: string; pages: RightfulPage[] });

/** The navigation of `docs/specification.md` section 2; all else is in Settings, or reached from a list. */
const entries: Entry[] = [
  { Icon: House, to: "/dashboard", label: t("signed-in.navigation.home"), needs: "nothing" },
  {
    Icon: Building2,
    id: "branches",
    title: t("common.branches"),
    pages: [
      {
        to: "/branches/profile",
        label: t("common.companyProfile"),
        needs: [
          { area: "co_profile", right: "read", offer: "company" },
          { area: "branches", right: "read", offer: "branches" },
        ],
      },
      {
        to: "/branches/list",
        label: t("signed-in.navigation.listOfBranches"),
        needs: [{ area: "branches", right: "read", offer: "branches" }],
        covers: /^\/branches\/(list|view|edit)/,
      },
      {
        to: "/branches/new",
        label: t("common.addNewBranch"),
        needs: [{ area: "branches", right: "create", inCompany: true, offer: "branches" }],
      },
    ],
  },
  {
    Icon: Users,
    id: "users",
    title: t("common.users"),
    pages: [
      {
        to: "/users/list",
        label: t("signed-in.navigation.usersList"),
        needs: [{ area: "users", right: "read", offer: "always" }],
        covers: /^\/users\/(?!(new|roles|group)$)/,
      },
      {
        to: "/users/roles",
        label: t("common.securityRoles"),
        needs: [{ area: "roles", right: "read", offer: "groups" }],
        covers: /^\/users\/(roles|group)$/,
      },
      {
        to: "/users/new",
        label: t("signed-in.navigation.newUser"),
        needs: [{ area: "users", right: "create", offer: "always" }],
      },
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
        label: t("signed-in.navigation.documentsList"),
        needs: [{ area: "docs", right: "read", offer: "always" }],
        covers: /^\/documents\/(?!new|archive$)/,
      },
      {
        to: "/documents/archive",
        label: t("common.theArchive"),
        needs: [{ area: "docs", right: "read", offer: "always" }],
      },
      {
        to: "/documents/new",
        label: t("signed-in.navigation.addNewDoc"),
        needs: [{ area: "docs", right: "create", offer: "always" }],
        covers: /^\/documents\/new/,
      },
    ],
  },
  {
    Icon: TriangleAlert,
    to: "/alerts",
    label: t("common.alerts"),
    needs: [{ area: "alerts", right: "read", offer: "alerts" }],
    covers: /^\/alerts(\/|$)/,
  },
  { Icon: Map, to: "/map", label: t("common.map"), needs: [{ area: "map", right: "read", offer: "map" }] },
  { Icon: LifeBuoy, to: "/help", label: t("common.help"), needs: "nothing" },
];

/** The addresses of the pages of which a need is met. */
export const shownPages = (isMet: (need: Need) => boolean): string[] =>
  entries
    .flatMap((entry) => ("pages" in entry ? entry.pages : [entry]))
    .filter(({ needs }) => needs === "nothing" || needs.some(isMet))
    .map(({ to }) => to);

/** The navigation to these pages. */
export function navigationTo(addresses: string[]): NavigationEntry[] {
  const isShown = ({ to }: NavigationPage) => addresses.includes(to);
  return entries.flatMap((entry): NavigationEntry[] => {
    if ("pages" in entry) return [{ ...entry, pages: entry.pages.filter(isShown) }];
    return isShown(entry) ? [entry] : [];
  });
}
