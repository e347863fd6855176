import { Plus } from "lucide-react";
import { Link } from "react-router";
import { dateFormat } from "#lib/messages/formats.ts";
import { tagOf } from "#lib/messages/languages.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t } from "#lib/messages/staff.ts";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { dayOf, showDate } from "../../components/text/format.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { RoleTag } from "../../components/user/role-tag.tsx";
import { EndedChip } from "../../components/scan/state-chip.tsx";
import { Table } from "../../components/list/table.tsx";
import { WebhookTrouble } from "../../components/text/webhook-trouble.tsx";
import { getOffers, getUser, may, timeZoneOf } from "../../server/sessions/current-user.ts";
import { loadedDocuments } from "../../server/lists/loaded-documents.ts";
import { readTrouble } from "../../server/provider/webhooks.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure, orUndefinedIfHidden } from "../../server/provider/failure.ts";
import type { Route } from "./+types/dashboard";
import { ActivityPanel } from "./activity.tsx";
import { AwaitingRelease } from "./awaiting-release.tsx";
import { readExpiringSoon } from "./expiring-soon.server.ts";
import { firstSteps, readCompanyToSetUp } from "./first-steps.server.ts";
import { FirstSteps } from "./first-steps.tsx";
import { type Panel, SummaryPanel } from "./summary-panel.tsx";

/** How many rows each panel shows (`docs/specification.md` section 2). */
const rowsOf = { branches: 5, documents: 8, users: 5 };

export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const user = getUser(context);
  const offers = getOffers(context);
  const timeZone = timeZoneOf(user);
  const [company, activity, expiring, branches, documents, users, trouble] = await Promise.all([
    readCompanyToSetUp(context),
    offers.alerts ? orUndefinedIfHidden(provider.dailyScans()) : undefined,
    readExpiringSoon(context),
    panel(() => provider.firstPage("listBranches", { per_page: String(rowsOf.branches) }), rowsOf.branches),
    panel(() => newestDocuments(context, String(rowsOf.documents)), rowsOf.documents),
    panel(() => provider.firstPage("listUsers", { per_page: String(rowsOf.users) }), rowsOf.users),
    readTrouble(context),
  ]);
  const today = new Date();
  const weekday = dateFormat(tagOf(staffLanguage), { weekday: "long", timeZone }).format(today);
  const date = dayOf(today.toISOString(), timeZone);
  return {
    activity,
    hasFigures: activity !== undefined && offers.cases,
    expiring,
    steps:
      branches && documents
        ? firstSteps(company, {
            branches: branches.rows.length,
            documents: user.usage?.documents ?? documents.rows.length,
          })
        : undefined,
    branches,
    documents,
    users,
    trouble,
    today: t("signed-in.dashboard.today", { weekday, date: showDate(date) }),
    mayCreate: may(user, "docs", "create"),
  };
}

async function newestDocuments(context: Route.LoaderArgs["context"], per_page: string) {
  if (!getOffers(context).lists) {
    return (await loadedDocuments(context)).toSorted((a, b) => b.date.localeCompare(a.date));
  }
  return getProvider(context).firstPage("listDocuments", { per_page, status: "active,exited", sort: "-date" });
}

/** A panel's first rows, or the refusal's message, which fails no other panel; undefined if the provider has no such list. */
async function panel<Row>(request: () => Promise<Row[]>, count: number): Promise<Panel<Row> | undefined> {
  try {
    return { rows: (await request()).slice(0, count), message: "" };
  } catch (thrown) {
    if (asFailure(thrown, 501)) return undefined;
    const refused = asFailure(thrown, 403);
    if (!refused) throw thrown;
    return { rows: [], message: refused.message };
  }
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const { steps, activity, hasFigures, expiring, branches, documents, users, trouble, today, mayCreate } = loaderData;
  return (
    <>
      <PageTitle title={t("signed-in.dashboard.dashboard")} />
      <div className="page-head">
        <div>
          <h1>{t("signed-in.dashboard.dashboard")}</h1>
          <p className="lead">{today}</p>
        </div>
        {mayCreate && (
          <div className="page-acts">
            <Link className="btn btn-primary" to="/documents/new">
              <Plus className="ico" />
              {t("common.addNewDocument")}
            </Link>
          </div>
        )}
      </div>
      <AwaitingRelease />
      {trouble && <WebhookTrouble {...trouble} to="/webhooks" />}
      <div className="mb-5 grid gap-5 lg:grid-cols-3">
        {branches && (
          <SummaryPanel
            title={t("common.branches")}
            panel={branches}
            more={{ to: "/branches", label: t("signed-in.dashboard.viewAllBranches") }}
          >
            <Table
              caption={t("common.branches")}
              className="data mini"
              rows={branches.rows}
              keyOf={({ id }) => id}
              columns={[
                { label: t("common.name"), cell: ({ id, name }) => <BranchLink id={id} name={name} /> },
                { label: t("common.country"), className: "r", cell: ({ country }) => country },
              ]}
            />
          </SummaryPanel>
        )}
        {documents && (
          <SummaryPanel
            title={t("common.documents")}
            panel={documents}
            more={{ to: "/documents", label: t("signed-in.dashboard.viewAllDocuments") }}
            beside={expiring !== undefined && expiring.documents > 0 && <ExpiringSoon {...expiring} />}
          >
            <Table
              caption={t("common.documents")}
              className="data mini"
              rows={documents.rows}
              keyOf={({ id }) => id}
              columns={[
                { label: t("common.number"), cell: (row) => <NumberAndState {...row} /> },
                { label: t("common.date"), className: "r whitespace-nowrap", cell: ({ date }) => showDate(date) },
              ]}
            />
          </SummaryPanel>
        )}
        {users && (
          <SummaryPanel
            title={t("common.users")}
            panel={users}
            more={{ to: "/users", label: t("signed-in.dashboard.viewAllUsers") }}
          >
            <Table
              caption={t("common.users")}
              className="data mini"
              rows={users.rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: t("signed-in.dashboard.nameAndEmail"),
                  cell: ({ id, name, email }) => <NameAndEmail id={id} name={name} email={email} />,
                },
                { label: t("common.role"), className: "r", cell: ({ role }) => <RoleTag role={role} /> },
              ]}
            />
          </SummaryPanel>
        )}
      </div>
      {steps && <FirstSteps steps={steps} />}
      {activity && <ActivityPanel activity={activity} hasFigures={hasFigures} />}
    </>
  );
}

/** How many documents in force expire soon, with the way to them. */
const ExpiringSoon = ({ documents, isCapped }: { documents: number; isCapped: boolean }) => (
  <Link to="/documents/list?status=expiring">
    {t("signed-in.dashboard.expireSoon", { documents, plus: isCapped ? "+" : "" })}
  </Link>
);

const BranchLink = ({ id, name }: { id: number; name: string }) => (
  <a className="main" translate="no" href={`/branches/view/${id}`}>
    {name}
  </a>
);

const NumberAndState = ({ id, number, validity }: Pick<DocumentRow, "id" | "number" | "validity">) => (
  <>
    <a className="main code" translate="no" href={`/documents/${id}`}>
      {number}
    </a>{" "}
    <EndedChip validity={validity} />
  </>
);

const NameAndEmail = ({ id, name, email }: { id: number; name: string; email: string }) => (
  <>
    <a className="main" translate="no" href={`/users/view/${id}`}>
      {name}
    </a>
    <small className="[overflow-wrap:anywhere]">{email}</small>
  </>
);
