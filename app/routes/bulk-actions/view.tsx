import { Undo2 } from "lucide-react";
import { Link, redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { BulkAction, BulkActionRow } from "#provider/contract/bulk-actions.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { caseInWords } from "../../components/scan/case-words.ts";
import { Empty } from "../../components/list/empty.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { Facts } from "../../components/record/facts.tsx";
import { Form } from "../../components/form/form.tsx";
import { showInstant, showNumber } from "../../components/text/format.ts";
import { formState } from "../../components/form/form-state.ts";
import { AutoRefresh } from "../../components/frame/auto-refresh.tsx";
import { ListRows } from "../../components/list/list-panel.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import type { Column } from "../../components/list/table.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { parseListQuery, readList } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { refreshSeconds } from "../../server/request/refresh-seconds.ts";
import { getUser, requireOffer, timeZoneOf } from "../../server/sessions/current-user.ts";
import type { Route } from "./+types/view";
import { actionAddress, countOf, listOf, recordPage, wordsOf } from "./act-words.ts";
import { Reasons } from "./reasons.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireOffer(context, "bulkActions");
  const provider = getProvider(context);
  const action = await provider.getBulkAction({ params });
  const part = await readList(provider, "listBulkActionRows", parseListQuery(url, "listBulkActionRows"), { params });
  const created = showInstant(action.created_at, timeZoneOf(getUser(context)));
  return { action, part, created, refreshSeconds: refreshSeconds(url, action.waiting > 0) };
}

export const headers = actionHeaders;

const noFields = z.object({});

/** Reverses the action. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireOffer(context, "bulkActions");
  return handleForm(await readForm(request, noFields), {
    schema: noFields,
    async save() {
      const { id } = await getProvider(context).undoBulkAction({ params });
      return redirect(actionAddress(id, url.searchParams.get("from")));
    },
  });
}

export default function BulkActionView({ loaderData, actionData }: Route.ComponentProps) {
  const { action, part, created, refreshSeconds } = loaderData;
  const { noun, act, total, waiting, done } = action;
  const { done: words } = wordsOf(noun, act);
  const list = listOf(action);
  const title =
    waiting > 0 ? t("bulk-actions.view.finishedOfTotal", { noun, count: total - waiting, total }) : resultOf(action);
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={title} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <BackLink to={list.to}>{list.words}</BackLink>
      <div className="page-head">
        <div role="status">
          <h1>{title}</h1>
        </div>
        {action.may_undo && (
          <Form method="post" className="page-acts">
            <button type="submit" className="btn btn-quiet" name="intent" value="undo">
              <Undo2 className="ico" />
              {t("bulk-actions.view.undoFor", { noun, count: done })}
            </button>
          </Form>
        )}
      </div>
      {waiting > 0 && (
        <div className="mb-4">
          <progress className="meter w-full" max={total} value={total - waiting} aria-label={t("common.progress")} />
          <p>{t("common.itGoesOnWithoutYou")}</p>
          <AutoRefresh seconds={refreshSeconds} />
        </div>
      )}
      <section className="panel mb-5 p-5 max-md:p-4" aria-label={t("common.result")}>
        <Facts facts={factsOf(action, words, created)} />
        {action.reasons.length > 0 && (
          <>
            <h2 className="mt-3 font-semibold">{t("bulk-actions.view.leftAsTheyWere")}</h2>
            <Reasons reasons={action.reasons} />
          </>
        )}
        <UndoLinks action={action} />
      </section>
      <div className="panel overflow-hidden">
        <ListRows
          caption={t("bulk-actions.view.records", { noun })}
          part={part}
          columns={columns(noun, words)}
          emptyState={<Empty message={t("bulk-actions.view.thereAreNoRows")} />}
        />
      </div>
    </>
  );
}

const resultOf = ({ noun, act, done }: BulkAction) =>
  t("bulk-actions.view.result", { what: wordsOf(noun, act).done, records: countOf(done, noun) });

function factsOf(action: BulkAction, words: string, created: string): [label: string, value: string][] {
  const { done, skipped, refused, group, owner, reason, outcome, note } = action;
  const parameters: [label: string, value: string][] = [
    [t("common.accessGroup"), group],
    [t("common.owner"), owner === "nobody" ? t("common.noOwner") : owner],
    [t("common.reason"), reason],
    [t("bulk-actions.view.outcome"), caseInWords(outcome)],
    [t("common.note"), note],
  ];
  return [
    [words, showNumber(done)],
    [t("bulk-actions.view.skippedAsSoAlready"), showNumber(skipped)],
    [t("common.refused"), showNumber(refused)],
    [t("common.begun"), created],
    ...parameters.filter(([, value]) => value !== ""),
  ];
}

function UndoLinks({ action: { undo_of, undone_by } }: { action: BulkAction }) {
  const [to, words] = undo_of
    ? [undo_of, t("bulk-actions.view.undidAnother")]
    : [undone_by, t("bulk-actions.view.thisWasUndone")];
  return to ? (
    <p className="mt-3">
      <Link to={`/bulk-actions/${to}`}>{words}</Link>
    </p>
  ) : null;
}

const columns = (noun: BulkAction["noun"], done: string): Column<BulkActionRow, SortOf<"listBulkActionRows">>[] => {
  const states = {
    waiting: t("common.waiting"),
    done,
    skipped: t("bulk-actions.view.skipped"),
    refused: t("common.refused"),
  };
  return [
    {
      label: t("common.record"),
      sort: "label",
      cell: ({ record_id, label }) => (
        <a className="main" translate="no" href={recordPage(noun, record_id)}>
          {label}
        </a>
      ),
    },
    { label: t("common.result"), cell: ({ state }) => states[state] },
    { label: t("common.why"), cell: ({ reason }) => reason },
  ];
};
