import type { ReactNode } from "react";
import { say, sayWith } from "#messages/staff.ts";
import { actionInWords } from "./audit-actions.ts";
import { changesInWords, type TrailEntry, timesInWords } from "./audit-words.ts";
import { showInstant } from "./format.ts";
import { hidden } from "./message-elements.tsx";
import { type Paged, Pagination } from "./pagination.tsx";
import { type Column, Table } from "./table.tsx";

/** A page of the audit trail, and the time zone of its dates. */
export type HistoryPart = Paged & { rows: TrailEntry[]; timeZone: string };

/** A record's history, below its tabs. */
export default function HistoryTable({ history }: { history: HistoryPart }) {
  const { rows, timeZone } = history;
  if (rows.length === 0)
    return <p className="px-5 py-4 text-muted max-md:px-4">{say("components.historyTable.noChangesYet")}</p>;
  return (
    <>
      <Table
        caption={say("components.historyTable.history")}
        rows={rows}
        columns={entryColumns(timeZone)}
        keyOf={({ id }) => id}
      />
      <Pagination part={history} />
    </>
  );
}

/** The columns of the audit trail; `on` shows the record where entries are about several. */
export function entryColumns(timeZone: string, on?: (entry: TrailEntry) => ReactNode): Column<TrailEntry>[] {
  const when = ({ at }: TrailEntry) => <span className="whitespace-nowrap">{showInstant(at, timeZone)}</span>;
  return [
    { label: say("common.date"), sort: "at", cell: when },
    { label: say("common.who"), cell: Who },
    { label: say("common.what"), cell: (entry) => what(entry, timeZone) },
    ...(on ? [{ label: say("common.record"), cell: on }] : []),
    { label: say("common.changes"), cell: (entry) => <Changes entry={entry} /> },
  ];
}

const Who = ({ actor, api_key, browser, network }: TrailEntry) => (
  <div>
    {actor}
    {api_key && <small>{say("components.historyTable.withTheApiKey", { api_key })}</small>}
    {(browser || network) && <small>{[browser, network].filter(Boolean).join(", ")}</small>}
  </div>
);

const what = (entry: TrailEntry, timeZone: string) => (
  <div>
    {actionInWords(entry.action)}
    {entry.count > 1 && <small>{timesInWords(entry, timeZone)}</small>}
  </div>
);

/** How many changes are shown at first. */
const shownAtFirst = 3;

function Changes({ entry }: { entry: TrailEntry }) {
  const changes = changesInWords(entry);
  if (changes.length === 0) return null;
  const more = changes.slice(shownAtFirst);
  return (
    <div>
      <ChangeList changes={changes.slice(0, shownAtFirst)} />
      {more.length > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer text-sm font-semibold text-primary">
            {say("components.historyTable.more", { count: more.length })}
          </summary>
          <ChangeList changes={more} />
        </details>
      )}
    </div>
  );
}

const ChangeList = ({ changes }: { changes: ReturnType<typeof changesInWords> }) => (
  <ul>
    {changes.map(({ label, before, after }) => (
      <li key={label}>
        {before === undefined
          ? sayWith("components.historyTable.changeOfNew", { label, after: after || "–", field })
          : sayWith("components.historyTable.change", {
              label,
              before: before || "–",
              after: after || "–",
              field,
              sign,
              hidden,
            })}
      </li>
    ))}
  </ul>
);

const field = (words: ReactNode) => <span className="text-muted">{words}</span>;
const sign = (words: ReactNode) => <span aria-hidden="true">{words}</span>;
