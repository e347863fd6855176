import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Link, redirect } from "react-router";
import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import type { Import } from "#provider/contract/imports.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { AutoRefresh } from "../../components/frame/auto-refresh.tsx";
import { showInstant } from "../../components/text/format.ts";
import { ListPanel } from "../../components/list/list-panel.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { TableReading } from "../../components/list/table-reading.tsx";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { parseListQuery, readList } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { refreshSeconds } from "../../server/request/refresh-seconds.ts";
import { getUser, requireOffer, timeZoneOf } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/view";
import { ApplyDialog } from "./apply-dialog.tsx";
import { labelledRows } from "./labelled-rows.server.ts";
import { nounAt } from "./noun.ts";
import { choiceOf, columns, looks, stateChoices } from "./rows.tsx";

/** While it waits for a limit, which takes hours. */
const waitingSeconds = 60;

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  requireOffer(context, "imports");
  const provider = getProvider(context);
  const importJob = await provider.getImport({ params });
  const noun = nounAt(url.pathname);
  if (importJob.kind !== noun.kind) throw redirect(`/${importJob.kind}/import/${importJob.id}`);
  const query = parseListQuery(url, "listImportRows", ["state"]);
  const choice = choiceOf(query.filters.state);
  const filtered = { ...query, filters: stateIn(choice?.state) };
  const part = await readList(provider, "listImportRows", filtered, { params });
  return {
    found: importJob,
    noun,
    until: showInstant(importJob.waits_until, timeZoneOf(getUser(context))),
    part: omitRowsFromHydration(request, { ...part, rows: labelledRows(noun, part.rows) }),
    filters: stateIn(choice?.value),
    refreshSeconds: refreshSeconds(url, importJob.status === "running", importJob.waiting ? waitingSeconds : undefined),
  };
}

const stateIn = (state: string | undefined) => ({ ...(state && { state }) });

export const headers = actionHeaders;

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireOffer(context, "imports");
  return handleForm(await readForm(request), {
    schema: z.object({}),
    async save() {
      const { kind, file } = await getProvider(context).applyImport({ params });
      return redirectWithNotice(context, url.pathname, t("imports.view.isBeingApplied", { kind, file }));
    },
  });
}

export default function ImportView({ loaderData, actionData }: Route.ComponentProps) {
  const { found, until, part, filters, noun, refreshSeconds } = loaderData;
  const { counts, status, file, ignored, table } = found;
  const { open, openTo, closeTo } = useDialog();
  const mayApply = status === "ready" && counts.new + counts.changed > 0;
  const isAsking = open === "apply" && mayApply;
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={t("imports.view.importOfFile", { file })} hasErrors={summary.length > 0} />
      {!isAsking && <ErrorSummary errors={summary.map(({ message }) => ({ message }))} />}
      <BackLink to={`/${noun.kind}/import`}>{t("imports.view.importAnotherFile")}</BackLink>
      <div className="page-head mt-2">
        <h1 className="wrap-anywhere">{t("imports.view.importOfFile", { file })}</h1>
        <div className="page-acts">
          {mayApply && (
            <Link className="btn btn-primary" to={openTo("apply")} preventScrollReset>
              {t("imports.applyDialog.applyChanges")}
            </Link>
          )}
          {counts.refused > 0 && (
            <Link className="btn btn-plain" to={`/${noun.kind}/import/${found.id}/refused.csv`} reloadDocument>
              <Download className="ico" />
              {t("imports.view.refusedRowsAsCsv")}
            </Link>
          )}
        </div>
      </div>
      <Progress found={found} until={until}>
        <AutoRefresh seconds={refreshSeconds} />
      </Progress>
      {status === "ready" && table && (
        <section className="panel mb-5" aria-labelledby="reading">
          <div className="panel-head">
            <h2 id="reading">{t("components.tableReading.howTheFileWasRead")}</h2>
          </div>
          <div className="px-5 pb-5 max-md:px-4">
            <TableReading
              table={table}
              rows={Object.values(counts).reduce((sum, count) => sum + count, 0)}
              action={`/${noun.kind}/import`}
              sent={{ kind: noun.kind, again: String(found.id) }}
            />
          </div>
        </section>
      )}
      {ignored.length > 0 && <p className="mb-3">{t("imports.view.notImported", { columns: ignored.join(", ") })}</p>}
      <ListPanel
        caption={t("common.rows")}
        part={part}
        columns={columns}
        filters={filters}
        filterFields={[{ name: "state", label: t("common.state"), all: t("common.all"), choices: stateChoices }]}
        noMatch={t("imports.view.noRowInState")}
        emptyState={<Empty message={t("imports.view.noRowsInFile")} />}
      />
      <p className="mt-4">
        <Link className="link" to={`/${noun.kind}/list`}>
          {t("imports.view.toTheList", noun)}
        </Link>
      </p>
      {isAsking && <ApplyDialog found={found} noun={noun} reply={actionData} closeTo={closeTo} />}
    </>
  );
}

type ProgressProps = { found: Import; until: string; children: ReactNode };

/** How far the import is, and how many rows are in each state. */
function Progress({ found: { counts, status, waiting }, until, children }: ProgressProps) {
  const rowsToApply = counts.new + counts.changed;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const states = Object.entries(looks).map(([state, { word }]) => ({
    word,
    count: counts[state as keyof typeof counts],
  }));
  return (
    <>
      <div className="mb-3" role="status">
        <p>{headlineOf(status, rowsToApply, total)}</p>
        <p>
          {states
            .filter(({ count }) => count > 0)
            .map(({ word, count }) => t("imports.view.stateCount", { state: word, count }))
            .join(" · ")}
        </p>
      </div>
      {status === "running" && (
        <div className="mb-3">
          <progress
            className="meter w-full"
            max={total}
            value={total - rowsToApply}
            aria-label={t("common.progress")}
          />
          <p>{waiting ? t("imports.view.waitsUntil", { waiting, until }) : t("common.itGoesOnWithoutYou")}</p>
          {children}
        </div>
      )}
    </>
  );
}

function headlineOf(status: Import["status"], left: number, total: number) {
  if (status === "running") return t("imports.view.rowsLeft", { left, total });
  if (status === "done") return t("imports.view.applied");
  return left > 0 ? t("imports.view.nothingIsSavedYet") : t("imports.view.nothingToApply");
}
