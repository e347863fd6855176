import { useEffect } from "react";
import { Link, useRevalidator } from "react-router";
import type { ImportRow } from "#provider/contract/imports.ts";
import { applyImport } from "#provider/contract/imports.ts";
import { BackLink } from "../../components/back-link.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useDialog } from "../../components/dialog.tsx";
import { DialogButton } from "../../components/dialog-button.tsx";
import { Empty } from "../../components/empty.tsx";
import { ListPanel } from "../../components/list-panel.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import type { Column } from "../../components/table.tsx";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/view";
import { nounAt } from "./noun.ts";

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const provider = getProvider(context);
  const found = await provider.getImport({ params });
  const query = parseListQuery(url, ["state"], ["line"]);
  const part = await readList(provider, "listImportRows", query, { params });
  return { found, part: omitRowsFromHydration(request, part), filters: query.filters, noun: nounAt(url.pathname) };
}

export async function action({ context, params, url }: Route.ActionArgs) {
  const { kind, file } = await getProvider(context).applyImport({ params, body: applyImport.body.parse({}) });
  return redirectWithNotice(context, url.pathname, `${file} is being applied to the ${kind}`);
}

const words = {
  new: "New",
  changed: "Changed",
  unchanged: "Unchanged",
  refused: "Refused",
  added: "Added",
  saved: "Saved",
} as const;

const columns: Column<ImportRow>[] = [
  { label: "Line", sort: "line", cell: ({ line }) => line },
  { label: "Name", cell: ({ name }) => name },
  { label: "State", cell: ({ state, why }) => (why ? `${words[state]}: ${why}` : words[state]) },
  {
    label: "Changes",
    cell: ({ changes }) =>
      changes.map(({ field, before, after }) => (
        <div key={field}>
          {field}: {before || "(empty)"} → {after || "(empty)"}
        </div>
      )),
  },
];

export default function ImportView({ loaderData: { found, part, filters, noun } }: Route.ComponentProps) {
  const { counts, status, file, ignored, waiting } = found;
  const left = counts.new + counts.changed;
  const { open, closeTo } = useDialog();
  const isRunning = status === "running";
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void revalidate(), 3000);
    return () => clearInterval(timer);
  }, [isRunning, revalidate]);
  return (
    <>
      <PageTitle title={`Import of ${file}`} />
      {isRunning && (
        <noscript>
          <meta httpEquiv="refresh" content="5" />
        </noscript>
      )}
      <BackLink to={`/${noun.kind}/import`}>Import another file</BackLink>
      <div className="page-head mt-2">
        <h1>Import of {file}</h1>
        {status === "ready" && left > 0 && (
          <div className="page-acts">
            <DialogButton dialog="apply" className="btn btn-primary">
              Apply changes
            </DialogButton>
          </div>
        )}
      </div>
      <p className="mb-3" role="status">
        {isRunning ? `Being applied, ${left} rows left. ` : status === "done" ? "Applied. " : "Nothing is saved yet. "}
        {Object.entries(words)
          .filter(([state]) => counts[state as keyof typeof words] > 0)
          .map(([state, word]) => `${word}: ${counts[state as keyof typeof words]}`)
          .join(" · ")}
      </p>
      {waiting && <p className="mb-3">{waiting} It goes on by itself.</p>}
      {ignored.length > 0 && <p className="mb-3">Columns that are not imported: {ignored.join(", ")}</p>}
      <ListPanel
        caption="Rows"
        part={part}
        columns={columns}
        filters={filters}
        filterFields={[{ name: "state", label: "State", all: "All", choices: Object.keys(words) }]}
        noMatch="No row is in this state."
        emptyState={<Empty message="The file has no rows." />}
      />
      <p className="mt-4">
        <Link className="link" to={`/${noun.kind}/list`}>
          To the list of {noun.kind}
        </Link>
      </p>
      {open === "apply" && status === "ready" && (
        <ConfirmDialog title={`Apply ${left} rows?`} confirm="Apply changes" intent="apply" closeTo={closeTo}>
          <p>
            {counts.new} new and {counts.changed} changed {noun.kind} are saved.
            {noun.kind === "users" && counts.new > 0 && " New users are sent an invitation."}
            {counts.refused > 0 && ` ${counts.refused} refused rows are left out.`}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
