import { Pencil } from "lucide-react";
import { Link, redirect } from "react-router";
import { updateCompany } from "#provider/contract/company.ts";
import { Empty } from "../../components/empty.tsx";
import { ListRows } from "../../components/list-panel.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { asTyped } from "../../components/record-form.tsx";
import { openTab, Tabs } from "../../components/tabs.tsx";
import { getUser, may, mustBeAllowed } from "../../server/sessions/current-user.ts";
import { readList, readWish } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { handleRecord, readRecord } from "../../server/forms/records.ts";
import { setNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/profile";
import { branchColumns } from "./branch-columns.tsx";
import { CompanyFacts } from "./company-facts.tsx";
import { CompanyForm } from "./company-form.tsx";
import { timeZones } from "./time-zones.server.ts";

const allTabs = [
  { id: "profile", label: "Profile", area: "co_profile" },
  { id: "branches", label: "Branches", area: "branches" },
] as const;

/** The tab that is open, and what it shows; the profile as facts or, with `edit` in the address, as a form. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getUser(context);
  const provider = getProvider(context);
  const tabs = allTabs.filter(({ area }) => may(user, area, "read"));
  if (tabs.length === 0) mustBeAllowed(context, "co_profile", "read", "see the company profile");
  if (openTab(tabs, url.searchParams) === "branches") {
    const part = await readList(provider, "listBranches", readWish(url, [], ["name", "country", "city"]));
    return { tabs, open: "branches" as const, part, mayEdit: may(user, "branches", "write") };
  }
  const company = await provider.getCompany();
  if (!url.searchParams.has("edit")) {
    return { tabs, open: "profile" as const, company, mayEdit: may(user, "co_profile", "write") };
  }
  mustBeAllowed(context, "co_profile", "write", "change the company profile");
  return { tabs, open: "edit" as const, saved: asTyped(company), timeZones: timeZones(company.timezone) };
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleRecord(await readRecord(request, updateCompany.body), {
    schema: updateCompany.body,
    async save(body, image) {
      await getProvider(context).updateCompany({ body, image });
      setNotice(context, "Company profile: changes saved");
      return redirect("/branches/profile");
    },
  });
}

/** After a refusal as well: the form must know the version that it now builds on. */
export const shouldRevalidate = () => true;

export default function CompanyProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { tabs, open } = loaderData;
  if (open === "edit") {
    return <CompanyForm saved={loaderData.saved} refusal={actionData} timeZones={loaderData.timeZones} />;
  }
  return (
    <>
      <PageTitle title="Company profile" />
      <div className="page-head">
        <h1>Company profile</h1>
        {open === "profile" && loaderData.mayEdit && (
          <div className="page-acts flex flex-wrap gap-2">
            <Link className="btn btn-primary" to="?edit">
              <Pencil className="ico" />
              Edit profile
            </Link>
          </div>
        )}
      </div>
      <section className="panel overflow-hidden" aria-label="Company profile">
        <Tabs label="Company profile" tabs={tabs} />
        {open === "profile" ? (
          <div className="px-5 py-2 max-md:px-4 print:px-0">
            <h2 className="sr-only">Profile</h2>
            <CompanyFacts company={loaderData.company} />
          </div>
        ) : (
          <ListRows
            caption="Branches"
            part={loaderData.part}
            columns={branchColumns(loaderData.mayEdit)}
            emptyState={<Empty message="There are no branches that you may see." />}
          />
        )}
      </section>
    </>
  );
}
