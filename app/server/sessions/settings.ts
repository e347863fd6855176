import { t } from "#lib/messages/staff.ts";
import { fold } from "#lib/text.ts";
import { mayManageWebhooks } from "../provider/webhooks.ts";
import { hasCompanyHosts } from "../request/find-host.ts";
import type { Context } from "../request/router-context.ts";
import { hasSealKeys } from "../seals.ts";
import { mayMakeScimTokens } from "./api-keys.ts";
import { getOffers, getUser, may, mayInCompany } from "./current-user.ts";
import { hasPasskeys } from "./passkeys.ts";
import { hasSingleSignOn } from "./single-sign-on.ts";

/** The hint has the words that a user may look for. */
type Page = { to: string; label: string; hint: string; isOpen: boolean };

const page = (to: string, label: string, hint: string, isOpen: boolean): Page => ({ to, label, hint, isOpen });

/** What Settings leads to, by subject, and what lists lead to. `settingsPaths` knows the former too. */
function allPages(context: Context) {
  const [offers, user] = [getOffers(context), getUser(context)];
  const [maySeeProfile, mayIssue] = [may(user, "co_profile", "read"), may(user, "docs", "create")];
  const mayImport = (area: "branches" | "users") =>
    offers.imports && (may(user, area, "write") || may(user, area, "create"));
  return {
    account: [
      page("/profile", t("common.myProfile"), t("server.settings.myProfile"), offers.profile),
      page("/profile/second-factor", t("common.secondFactor"), t("server.settings.secondFactor"), offers.secondFactor),
      page("/profile/passkeys", t("common.passkeys"), t("server.settings.passkeys"), hasPasskeys()),
      page("/profile/api-keys", t("common.apiKeys"), t("server.settings.apiKeys"), offers.apiKeys),
    ],
    documents: [
      page("/documents/templates", t("common.templates"), t("server.settings.templates"), offers.templates && mayIssue),
      page(
        "/settings/number-ranges",
        t("common.numberRanges"),
        t("server.settings.numberRanges"),
        offers.numberRanges && maySeeProfile,
      ),
      page(
        "/settings/recipients",
        t("common.recipients"),
        t("server.settings.recipients"),
        offers.recipients && maySeeProfile,
      ),
      page(
        "/settings/withdrawal-reasons",
        t("common.withdrawalReasons"),
        t("server.settings.withdrawalReasons"),
        offers.withdrawalReasons && maySeeProfile,
      ),
      page(
        "/settings/release-rules",
        t("settings.releaseRules.title"),
        t("server.settings.releaseRules"),
        offers.releases && may(user, "roles", "write"),
      ),
      page("/settings/seal-keys", t("common.sealKeys"), t("server.settings.sealKeys"), hasSealKeys() && maySeeProfile),
      page(
        "/settings/wallet",
        t("common.wallets"),
        t("server.settings.wallets"),
        offers.wallets && may(user, "co_profile", "write"),
      ),
      page(
        "/alerts/rules",
        t("common.alertRules"),
        t("server.settings.alertRules"),
        offers.alertRules && mayInCompany(user, "alerts", "write"),
      ),
    ],
    company: [
      page(
        "/branches/profile?edit#language",
        t("server.settings.languageAndTimeZone"),
        t("server.settings.languages"),
        offers.lists && may(user, "co_profile", "write"),
      ),
      page(
        "/settings/single-sign-on",
        t("common.singleSignOn"),
        t("server.settings.singleSignOn"),
        hasSingleSignOn() && may(user, "roles", "write"),
      ),
      page(
        "/settings/hosts",
        t("common.ownHost"),
        t("server.settings.hosts"),
        hasCompanyHosts() && may(user, "roles", "write"),
      ),
      page(
        "/profile/api-keys/new#scim",
        t("common.userProvisioning"),
        t("server.settings.provisioning"),
        mayMakeScimTokens(user),
      ),
      page("/tariffs", t("common.tariffs"), t("server.settings.tariffs"), may(user, "tariffs", "read")),
      page(
        "/audit",
        t("common.auditTrail"),
        t("server.settings.auditTrail"),
        offers.audit && may(user, "roles", "write"),
      ),
    ],
    systems: [
      page(
        "/branches/import",
        t("server.settings.importBranches"),
        t("server.settings.imports"),
        mayImport("branches"),
      ),
      page("/users/import", t("server.settings.importUsers"), t("server.settings.imports"), mayImport("users")),
      page("/webhooks", t("common.webhooks"), t("server.settings.webhooks"), mayManageWebhooks(context)),
    ],
    besideLists: pagesBesideLists(context),
  };
}

function pagesBesideLists(context: Context): Page[] {
  const [offers, user] = [getOffers(context), getUser(context)];
  return [
    page(
      "/documents/calendar",
      t("common.calendar"),
      t("server.settings.calendar"),
      offers.calendar && may(user, "docs", "read"),
    ),
    page(
      "/documents/bulk",
      t("common.issueMany"),
      t("server.settings.issueMany"),
      offers.bulkIssues && may(user, "docs", "create"),
    ),
    page(
      "/alerts/figures",
      t("common.howAlertsWereHandled"),
      t("server.settings.alertFigures"),
      offers.cases && may(user, "alerts", "read"),
    ),
  ];
}

/** The pages of Settings that the user may open, by subject. */
export function settingsOf(context: Context) {
  const { account, documents, company, systems } = allPages(context);
  const groups = [
    { title: t("server.settings.yourAccount"), pages: account },
    { title: t("server.settings.documentsAndAlerts"), pages: documents },
    { title: t("server.settings.company"), pages: company },
    { title: t("server.settings.otherSystems"), pages: systems },
  ];
  return groups.map((group) => ({ ...group, pages: openPages(group.pages) })).filter(({ pages }) => pages.length > 0);
}

/** The pages that are in no navigation, with every word of `text` in their name or hint. */
export function findPages(context: Context, text: string) {
  const words = fold(text).split(" ");
  return openPages(Object.values(allPages(context)).flat()).filter(({ label, hint }) =>
    words.every((word) => fold(`${label} ${hint}`).includes(word)),
  );
}

const openPages = (pages: Page[]) =>
  pages.filter(({ isOpen }) => isOpen).map(({ to, label, hint }) => ({ to, label, hint }));
