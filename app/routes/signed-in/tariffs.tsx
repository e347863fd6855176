import { Suspense, use, useState } from "react";
import { changeTariff, type Tariff } from "#provider/contract/tariffs.ts";
import { DialogProblems, useDialog } from "../../components/dialog.tsx";
import { Empty } from "../../components/empty.tsx";
import { formState } from "../../components/form-state.ts";
import { RowAction } from "../../components/row-action.tsx";
import { Loading, useIsLoading } from "../../components/loading.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { ActiveChip } from "../../components/status-chip.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { contactAddress } from "../../server/contact.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { draftUsage } from "../../server/drafts/drafts.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/tariffs";
import { BillFigures } from "./bill-figures.tsx";
import { Quotas } from "./quotas.tsx";
import { ChangeDialog, ContactDialog } from "./tariff-dialogs.tsx";
import { canBeChosen, extraPage, minMonthly, pagesIncluded, perUser, usersRange } from "./tariff-terms.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const [tariffs, bill] = await Promise.all([provider.listTariffs(), orUndefinedIfHidden(provider.companyBill())]);
  const user = getUser(context);
  const mayChange = may(user, "tariffs", "write");
  const drafts = may(user, "docs", "create") ? await draftUsage(user.id) : undefined;
  return { tariffs, bill, drafts, mayChange, address: contactAddress() ?? "" };
}

/** Coming from another page, the table shows a loading row until its tariffs are there. */
export function clientLoader({ serverLoader, url }: Route.ClientLoaderArgs) {
  return location.pathname === url.pathname ? serverLoader() : { later: serverLoader() };
}

/** Puts the company on the tariff whose button was pressed; a refusal is shown in its dialog. */
export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(await readForm(request, changeTariff.body), {
    schema: changeTariff.body,
    async save(body) {
      const tariff = await getProvider(context).changeTariff({ body });
      return redirectWithNotice(
        context,
        "/tariffs",
        tariff ? `Your company is now on ${tariff.name}` : "The tariff was changed",
      );
    },
  });
}

export default function Tariffs({ loaderData, actionData }: Route.ComponentProps) {
  // The server would send a boundary's content hidden, for scripts to show.
  const [isAwaited] = useState("later" in loaderData);
  const page = <LoadedTariffs loaderData={loaderData} actionData={actionData} />;
  return isAwaited ? <Suspense fallback={<LoadingTariffs />}>{page}</Suspense> : page;
}

function LoadedTariffs({ loaderData, actionData }: Pick<Route.ComponentProps, "loaderData" | "actionData">) {
  const { tariffs, bill, drafts, mayChange, address } = "later" in loaderData ? use(loaderData.later) : loaderData;
  const { open, at, openTo, closeTo } = useDialog();
  const isLoading = useIsLoading();
  const current = tariffs.find(({ active }) => active);
  const chosen = tariffs.find((tariff) => String(tariff.id) === at && !tariff.active);
  const isChanging = open === "change" && mayChange && chosen && canBeChosen(chosen);
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title="Tariffs" hasErrors={summary.length > 0} />
      {!isChanging && <DialogProblems errors={summary} />}
      <div className="page-head">
        <div>
          <h1>Tariffs</h1>
          {current && <p className="lead">Your company is on {current.name}.</p>}
        </div>
      </div>
      {bill && <BillFigures bill={bill} tariff={current} />}
      <Quotas storage={bill?.storage} drafts={drafts} />
      <section className="panel relative overflow-hidden" aria-label="Tariffs" aria-busy={isLoading}>
        {tariffs.length > 0 ? (
          <Table
            caption="Tariffs, prices in pounds a month"
            rows={tariffs}
            keyOf={({ id }) => id}
            rowClass={({ active }) => (active ? "plan-on" : undefined)}
            columns={columns((dialog, id) => openTo(dialog, id), mayChange)}
          />
        ) : (
          <Empty message="Your provider has no tariffs to choose from." />
        )}
        {isLoading && <Loading />}
      </section>
      {isChanging && <ChangeDialog chosen={chosen} current={current} errors={summary} closeTo={closeTo} />}
      {open === "contact" && chosen && !canBeChosen(chosen) && (
        <ContactDialog tariff={chosen} address={address} closeTo={closeTo} />
      )}
    </>
  );
}

const LoadingTariffs = () => (
  <>
    <PageTitle title="Tariffs" />
    <h1 className="page-head">Tariffs</h1>
    <section className="panel overflow-hidden" aria-label="Tariffs" aria-busy>
      <Table
        caption="Tariffs"
        rows={["Loading …"]}
        keyOf={(text) => text}
        columns={columns(() => "", false).map(({ label, className = "" }, n): Column<string> => ({
          label,
          className,
          // Not empty, which a dash would stand for.
          cell: (text) => (n === 0 ? text : " "),
        }))}
      />
    </section>
  </>
);

const columns = (openTo: (dialog: string, id: number) => string, mayChange: boolean): Column<Tariff>[] => [
  { label: "Name", cell: ({ name }) => name },
  {
    label: "Status",
    cell: ({ active }) => (active ? <ActiveChip isActive /> : <span className="text-muted">Not active</span>),
  },
  { label: "Min users", className: "r", cell: usersRange },
  { label: "Per user price", className: "r", cell: perUser },
  { label: "Min monthly bill", className: "r", cell: minMonthly },
  { label: "Pages", className: "r", cell: pagesIncluded },
  { label: "Additional page costs", className: "r", cell: extraPage },
  {
    label: "Action",
    className: "act",
    cell: (tariff) => {
      const { id, name, active } = tariff;
      if (active) return <span className="text-sm text-muted">Your plan</span>;
      if (!canBeChosen(tariff))
        return <RowAction to={openTo("contact", id)} verb="Contact us" name={`about ${name}`} />;
      return mayChange && <RowAction to={openTo("change", id)} verb="Choose" name={name} />;
    },
  },
];
