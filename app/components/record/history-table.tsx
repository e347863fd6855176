import type { ReactNode } from "react";
import { t, tRich } from "#lib/messages/staff.ts";
import { hidden } from "../text/message-elements.tsx";
import { type Paged, Pagination } from "../list/pagination.tsx";
import { type Column, Table } from "../list/table.tsx";

type Change = {
  label: string;
  /** Undefined if the record is new; an empty value is an empty text, here and in `after`. */
  before: string | undefined;
  after: string;
};

/** An entry of the audit trail in words. */
export type HistoryEntry = {
  id: number;
  at: string;
  actor: string;
  /** With what and from where they did it. */
  by: string[];
  action: string;
  /** How many times, and since when; empty for once. */
  times: string;
  changes: Change[];
};

/** A page of the audit trail. */
export type HistoryPart = Paged & { rows: HistoryEntry[] };

/** A record's history, below its tabs. */
export default function HistoryTable({ history }: { history: HistoryPart }) {
  const { rows } = history;
  if (rows.length === 0)
    return <p className="px-5 py-4 text-muted max-md:px-4">{t("components.historyTable.noChangesYet")}</p>;
  return (
    <>
      <Table caption={t("components.historyTable.history")} rows={rows} columns={entryColumns} keyOf={({ id }) => id} />
      <Pagination part={history} />
    </>
  );
}

/** The columns of the audit trail. */
export const entryColumns: Column<HistoryEntry, "at">[] = [
  { label: t("common.date"), sort: "at", cell: ({ at }) => <span className="whitespace-nowrap">{at}</span> },
  { label: t("common.who"), cell: ({ actor, by }) => <WithDetails what={actor} details={by} /> },
  {
    label: t("common.what"),
    cell: ({ action, times }) => <WithDetails what={action} details={times ? [times] : []} />,
  },
  { label: t("common.changes"), cell: ({ changes }) => <Changes changes={changes} /> },
];

const WithDetails = ({ what, details }: { what: string; details: string[] }) => (
  <div>
    {what}
    {details.map((detail) => (
      <small key={detail}>{detail}</small>
    ))}
  </div>
);

/** How many changes are shown at first. */
const shownAtFirst = 3;

function Changes({ changes }: { changes: Change[] }) {
  if (changes.length === 0) return null;
  const more = changes.slice(shownAtFirst);
  return (
    <div>
      <ChangeList changes={changes.slice(0, shownAtFirst)} />
      {more.length > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer text-sm font-semibold text-primary">
            {t("components.historyTable.more", { count: more.length })}
          </summary>
          <ChangeList changes={more} />
        </details>
      )}
    </div>
  );
}

const ChangeList = ({ changes }: { changes: Change[] }) => (
  <ul>
    {changes.map(({ label, before, after }) => (
      <li key={label}>
        {before === undefined
          ? tRich("components.historyTable.changeOfNew", { label, after: after || "–", field })
          : tRich("components.historyTable.change", {
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
