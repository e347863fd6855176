import { Suspense, use, useState } from "react";
import { t } from "#lib/messages/staff.ts";
import { changeTariff, type Tariff } from "#provider/contract/tariffs.ts";
import { DialogProblems, useDialog } from "../../components/dialog/dialog.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { formState } from "../../components/form/form-state.ts";
import { RowAction } from "../../components/list/row-action.tsx";
import { Loading, useIsLoading } from "../../components/frame/loading.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { ActiveChip } from "../../components/scan/status-chip.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { contactAddress } from "../../server/contact.ts";
import { getUser, may } from "../../server/sessions/current-user.ts";
import { draftUsage } from "../../server/drafts/drafts.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { choosePlan, readTariffs } from "../../server/provider/own-reference.ts";
import { handleForm, readForm } from "../../server/forms/forms.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/tariffs";
import { BillFigures } from "./bill-figures.tsx";
import { Quotas } from "./quotas.tsx";
import { ChangeDialog, ContactDialog } from "./tariff-dialogs.tsx";
import { canBeChosen, extraPage, minMonthly, pagesIncluded, perUser, usersRange } from "./tariff-terms.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const [{ tariffs, isOwn }, bill] = await Promise.all([
    readTariffs(context),
    orUndefinedIfHidden(provider.companyBill()),
  ]);
  const user = getUser(context);
  const mayChange = may(user, "tariffs", "write");
  const drafts = may(user, "docs", "create") ? await draftUsage(user.id) : undefined;
  return { tariffs, isOwn, bill, drafts, mayChange, address: contactAddress() ?? "" };
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
      return redirectWithNotice(context, "/tariffs", await choosePlan(context, body.tariff));
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
  const { tariffs, isOwn, bill, drafts, mayChange, address } =
    "later" in loaderData ? use(loaderData.later) : loaderData;
  const { open, at, openTo, closeTo } = useDialog();
  const isLoading = useIsLoading();
  const current = tariffs.find(({ active }) => active);
  const tariffToChoose = tariffs.find((tariff) => String(tariff.id) === at && !tariff.active);
  const isChanging = open === "change" && mayChange && tariffToChoose && canBeChosen(tariffToChoose);
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={t("common.tariffs")} hasErrors={summary.length > 0} />
      {!isChanging && <DialogProblems errors={summary} />}
      <div className="page-head">
        <div>
          <h1>{t("common.tariffs")}</h1>
          {current && <p className="lead">{t("signed-in.tariffs.currentTariff", { name: current.name })}</p>}
          {isOwn && <p className="lead">{t("signed-in.tariffs.ownPlans")}</p>}
        </div>
      </div>
      {bill && <BillFigures bill={bill} tariff={current} />}
      <section className="panel relative overflow-hidden" aria-label={t("common.tariffs")} aria-busy={isLoading}>
        {tariffs.length > 0 ? (
          <Table
            caption={t("signed-in.tariffs.pricesInPounds")}
            rows={tariffs}
            keyOf={({ id }) => id}
            rowClass={({ active }) => (active ? "plan-on" : undefined)}
            columns={columns((dialog, id) => openTo(dialog, id), mayChange)}
          />
        ) : (
          <Empty message={t("signed-in.tariffs.none")} />
        )}
        {isLoading && <Loading />}
      </section>
      <Quotas storage={bill?.storage} drafts={drafts} />
      {isChanging && <ChangeDialog chosen={tariffToChoose} current={current} errors={summary} closeTo={closeTo} />}
      {open === "contact" && tariffToChoose && !canBeChosen(tariffToChoose) && (
        <ContactDialog tariff={tariffToChoose} address={address} closeTo={closeTo} />
      )}
    </>
  );
}

const LoadingTariffs = () => (
  <>
    <PageTitle title={t("common.tariffs")} />
    <h1 className="page-head">{t("common.tariffs")}</h1>
    <section className="panel overflow-hidden" aria-label={t("common.tariffs")} aria-busy>
      <Table
        caption={t("common.tariffs")}
        rows={[t("common.loading")]}
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
  { label: t("common.name"), cell: ({ name }) => name },
  {
    label: t("common.status"),
    cell: ({ active }) =>
      active ? <ActiveChip isActive /> : <span className="text-muted">{t("signed-in.tariffs.notActive")}</span>,
  },
  { label: t("signed-in.tariffs.minUsers"), className: "r", cell: usersRange },
  { label: t("signed-in.tariffs.perUserPrice"), className: "r", cell: perUser },
  { label: t("signed-in.tariffs.minMonthlyBill"), className: "r", cell: minMonthly },
  { label: t("common.pages"), className: "r", cell: pagesIncluded },
  { label: t("signed-in.tariffs.additionalPageCosts"), className: "r", cell: extraPage },
  {
    label: t("common.action"),
    className: "act",
    cell: (tariff) => {
      const { id, name, active } = tariff;
      if (active) return <span className="text-sm text-muted">{t("signed-in.tariffs.yourPlan")}</span>;
      if (!canBeChosen(tariff))
        return (
          <RowAction
            to={openTo("contact", id)}
            verb={t("signed-in.tariffs.contactUs")}
            label={t("signed-in.tariffs.contactUsAboutTariff", { name })}
          />
        );
      return mayChange && <RowAction to={openTo("change", id)} verb={t("signed-in.tariffs.choose")} name={name} />;
    },
  },
];
