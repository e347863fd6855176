import { Pencil } from "lucide-react";
import { lazy } from "react";
import { Link, redirect } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { updateCompany } from "#provider/contract/company.ts";
import { imageSrc } from "../../components/user/avatar.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { RecordFacts } from "../../components/record/record-facts.tsx";
import { formValues } from "../../components/record/record-fields.ts";
import { companySections } from "../../components/record/record-tables.ts";
import { openTab, Tabs } from "../../components/frame/tabs.tsx";
import { getUser, may, mayInCompany, requireRight } from "../../server/sessions/current-user.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { unreadableForm } from "../../server/forms/forms.ts";
import { handleFileForm, readPictureForm } from "../../server/forms/file-form.ts";
import { readSuggestions } from "../../server/suggestions.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/profile";
import { CompanyForm } from "./company-form.tsx";
import { timeZones } from "./time-zones.server.ts";

/** Fetched with its tab. */
const BranchTab = lazy(() => import("./branch-tab.tsx"));

const allTabs = [
  { id: "profile", label: t("branches.profile.profile"), area: "co_profile" },
  { id: "branches", label: t("common.branches"), area: "branches" },
] as const;

/** The open tab with its content; with `edit` in the address, the profile's form. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const provider = getProvider(context);
  const tabs = allTabs.filter(({ area }) => may(user, area, "read"));
  // Where they were before Settings.
  const moved = ["seal-keys", "withdrawal-reasons", "single-sign-on"].find(
    (tab) => tab === url.searchParams.get("tab"),
  );
  if (moved) throw redirect(`/settings/${moved}`);
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
  const company = await provider.getCompany();
  if (!url.searchParams.has("edit")) {
    return { tabs, open: "profile" as const, company, mayEdit: may(user, "co_profile", "write") };
  }
  requireRight(context, "co_profile", "write", t("branches.profile.changeAction"));
  const { country } = await readSuggestions(context);
  return { tabs, open: "edit" as const, saved: formValues(company), country, timeZones: timeZones(company.timezone) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPictureForm(request, updateCompany.body);
  // Other views of the page have no form, so they couldn't say what is wrong with it.
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
      <PageTitle title={t("common.companyProfile")} />
      <div className="page-head">
        <h1>{t("common.companyProfile")}</h1>
        {open === "profile" && loaderData.mayEdit && (
          <div className="page-acts">
            <Link className="btn btn-primary" to="?edit">
              <Pencil className="ico" />
              {t("branches.profile.editProfile")}
            </Link>
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
        ) : (
          <BranchTab part={loaderData.part} mayEdit={loaderData.mayEdit} mayCreate={loaderData.mayCreate} />
        )}
      </section>
    </>
  );
}
