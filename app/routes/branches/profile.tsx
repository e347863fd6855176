import { Pencil } from "lucide-react";
import { lazy } from "react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { updateCompany } from "#provider/contract/company.ts";
import { imageSrc } from "../../components/user/avatar.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { RecordFacts } from "../../components/record/record-facts.tsx";
import { formValues } from "../../components/record/record-fields.ts";
import { companySections } from "../../components/record/record-tables.ts";
import { openTab, Tabs } from "../../components/frame/tabs.tsx";
import { getOffers, getUser, may, mayInCompany, requireRight, timeZoneOf } from "../../server/sessions/current-user.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { unreadableForm } from "../../server/forms/forms.ts";
import { handleFileForm, readPictureForm } from "../../server/forms/file-form.ts";
import { readSuggestions } from "../../server/suggestions.ts";
import { hasSealKeys } from "../../server/seals.ts";
import { hasSingleSignOn } from "../../server/sessions/single-sign-on.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/profile";
import { CompanyForm } from "./company-form.tsx";
import { changeSealKeys, sealKeyForms } from "./seal-keys.server.ts";
import { changeWithdrawalReasons, withdrawalReasonForms } from "./withdrawal-reasons.server.ts";
import { changeSingleSignOn, singleSignOnForms } from "./single-sign-on.server.ts";
import { timeZones } from "./time-zones.server.ts";

/** Fetched with their tabs. */
const BranchTab = lazy(() => import("./branch-tab.tsx"));
const SealKeysTab = lazy(() => import("./seal-keys-tab.tsx"));
const SingleSignOnTab = lazy(() => import("./single-sign-on-tab.tsx"));
const WithdrawalReasonsTab = lazy(() => import("./withdrawal-reasons-tab.tsx"));

const allTabs = [
  { id: "profile", label: t("branches.profile.profile"), area: "co_profile" },
  { id: "branches", label: t("common.branches"), area: "branches" },
  { id: "seal-keys", label: t("common.sealKeys"), area: "co_profile" },
  { id: "withdrawal-reasons", label: t("common.withdrawalReasons"), area: "co_profile" },
  // For administrators.
  { id: "single-sign-on", label: t("common.singleSignOn"), area: "roles", right: "write" },
] as const;

/** The open tab with its content; with `edit` in the address, the profile's form. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const provider = getProvider(context);
  const isOffered = {
    "seal-keys": hasSealKeys(),
    "withdrawal-reasons": getOffers(context).withdrawalReasons,
    "single-sign-on": hasSingleSignOn(),
  };
  const tabs = allTabs.filter(
    ({ id, area, ...needs }) =>
      may(user, area, "right" in needs ? needs.right : "read") &&
      (!(id in isOffered) || isOffered[id as keyof typeof isOffered]),
  );
  if (tabs.length === 0) requireRight(context, "co_profile", "read", t("branches.profile.seeAction"));
  if (openTab(tabs, url.searchParams) === "branches") {
    const part = await readList(provider, "listBranches", parseListQuery(url, "listBranches"));
    return {
      tabs,
      open: "branches" as const,
      part,
      mayEdit: may(user, "branches", "write"),
      mayCreate: mayInCompany(user, "branches", "create"),
    };
  }
  if (openTab(tabs, url.searchParams) === "seal-keys") {
    const [sealKeys, company] = await Promise.all([provider.listSealKeys(), provider.getCompany()]);
    const [isNamed, mayEdit] = [company.name_beside_keys, may(user, "co_profile", "write")];
    return { tabs, open: "seal-keys" as const, sealKeys, isNamed, mayEdit, timeZone: timeZoneOf(user) };
  }
  if (openTab(tabs, url.searchParams) === "withdrawal-reasons") {
    const [reasons, mayEdit] = [await provider.listWithdrawalReasons(), may(user, "co_profile", "write")];
    return { tabs, open: "withdrawal-reasons" as const, reasons, mayEdit };
  }
  if (openTab(tabs, url.searchParams) === "single-sign-on") {
    const identityProvider = await provider.getIdentityProvider();
    return { tabs, open: "single-sign-on" as const, identityProvider };
  }
  const company = await provider.getCompany();
  if (!url.searchParams.has("edit")) {
    return { tabs, open: "profile" as const, company, mayEdit: may(user, "co_profile", "write") };
  }
  requireRight(context, "co_profile", "write", t("branches.profile.changeAction"));
  const { country } = await readSuggestions(context);
  return { tabs, open: "edit" as const, saved: formValues(company), country, timeZones: timeZones(company.timezone) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPictureForm(
    request,
    updateCompany.body,
    ...sealKeyForms,
    ...withdrawalReasonForms,
    ...singleSignOnForms,
  );
  const reply =
    changeSealKeys(context, form) ?? changeWithdrawalReasons(context, form) ?? changeSingleSignOn(context, form);
  if (reply) return reply;
  // Other views of the page have no such form, so they couldn't say what is wrong with it.
  if (!url.searchParams.has("edit")) {
    await form.discard?.();
    throw unreadableForm();
  }
  return handleFileForm(form, {
    schema: updateCompany.body,
    async save(body, image) {
      await getProvider(context).updateCompany({ body, image });
      return redirectWithNotice(context, "/branches/profile", t("branches.profile.companyProfileChangesSaved"));
    },
  });
}

export default function CompanyProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { tabs, open } = loaderData;
  if (open === "edit") {
    const { saved, country, timeZones } = loaderData;
    return <CompanyForm saved={saved} reply={actionData} country={country} timeZones={timeZones} />;
  }
  return (
    <>
      <PageTitle title={t("common.companyProfile")} hasErrors={Boolean(actionData?.error)} />
      <div className="page-head">
        <h1>{t("common.companyProfile")}</h1>
        {open !== "branches" && open !== "single-sign-on" && loaderData.mayEdit && (
          <div className="page-acts flex flex-wrap gap-2">
            {open === "profile" ? (
              <Link className="btn btn-primary" to="?edit">
                <Pencil className="ico" />
                {t("branches.profile.editProfile")}
              </Link>
            ) : open === "withdrawal-reasons" ? (
              <Link className="btn btn-primary" to="?tab=withdrawal-reasons&dialog=add-reason" preventScrollReset>
                {t("branches.profile.addReason")}
              </Link>
            ) : loaderData.sealKeys.some(({ state }) => state === "next") ? undefined : (
              <Link className="btn btn-primary" to="?tab=seal-keys&dialog=rotate-seal-key" preventScrollReset>
                {t("branches.profile.makeNewKey")}
              </Link>
            )}
          </div>
        )}
      </div>
      <section className="panel overflow-hidden" aria-label={t("common.companyProfile")}>
        <Tabs label={t("common.companyProfile")} tabs={tabs} />
        {open === "profile" ? (
          <div className="px-5 py-2 max-md:px-4 print:px-0">
            <h2 className="sr-only">{t("branches.profile.profile")}</h2>
            <RecordFacts
              sections={companySections}
              record={loaderData.company}
              picture={{ name: loaderData.company.name, src: imageSrc("company", loaderData.company.img) }}
            />
          </div>
        ) : open === "withdrawal-reasons" ? (
          <>
            <h2 className="sr-only">{t("common.withdrawalReasons")}</h2>
            <WithdrawalReasonsTab reasons={loaderData.reasons} mayEdit={loaderData.mayEdit} reply={actionData} />
          </>
        ) : open === "single-sign-on" ? (
          <>
            <h2 className="sr-only">{t("common.singleSignOn")}</h2>
            <SingleSignOnTab identityProvider={loaderData.identityProvider} reply={actionData} />
          </>
        ) : open === "seal-keys" ? (
          <>
            <h2 className="sr-only">{t("common.sealKeys")}</h2>
            <SealKeysTab
              keys={loaderData.sealKeys}
              isNamed={loaderData.isNamed}
              timeZone={loaderData.timeZone}
              mayEdit={loaderData.mayEdit}
              reply={actionData}
            />
          </>
        ) : (
          <BranchTab part={loaderData.part} mayEdit={loaderData.mayEdit} mayCreate={loaderData.mayCreate} />
        )}
      </section>
    </>
  );
}
