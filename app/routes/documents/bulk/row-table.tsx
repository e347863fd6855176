import { CircleAlert, CircleCheck, CircleMinus, Clock } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import type { BulkIssue, BulkIssueRow } from "#provider/contract/bulk-issues.ts";
import type { RowState } from "#provider/contract/bulk-options.ts";
import { useDialog } from "../../../components/dialog/dialog.tsx";
import { Empty } from "../../../components/list/empty.tsx";
import { ListRows } from "../../../components/list/list-panel.tsx";
import { Chip, type Look } from "../../../components/scan/chip.tsx";
import { NoteList } from "../../../components/text/notes.tsx";
import type { Paged } from "../../../components/list/pagination.tsx";
import { RowAction } from "../../../components/list/row-action.tsx";
import type { Column } from "../../../components/list/table.tsx";

type Row = BulkIssueRow & { id: number };
type RowTableProps = {
  issue: Pick<BulkIssue, "columns" | "mapping" | "state" | "is_own">;
  part: Paged & { rows: Row[] };
  hasPreview?: boolean;
};

/** Rows of the table, with what became of them or what is wrong with them. */
export function RowTable({ issue, part, hasPreview = false }: RowTableProps) {
  const { openTo } = useDialog();
  const mappedColumns = ["number", "name", "file"].map((field) => issue.mapping.indexOf(field)).filter((n) => n >= 0);
  const columnsShown = mappedColumns.length > 0 ? mappedColumns : [0];
  const columns: Column<Row>[] = [
    { label: t("common.line"), cell: ({ line }) => line },
    ...columnsShown.map((n) => ({ label: issue.columns[n] ?? "", cell: ({ cells }: Row) => cells[n] || "–" })),
    { label: t("common.result"), cell: (row) => <Result row={row} issue={issue} /> },
    ...(hasPreview
      ? [
          {
            label: t("common.action"),
            className: "act",
            cell: ({ line, pages }: Row) =>
              pages > 0 && (
                <RowAction
                  to={openTo("preview", line)}
                  verb={t("documents.bulk.rowTable.preview")}
                  label={t("documents.bulk.rowTable.previewLine", { line })}
                />
              ),
          },
        ]
      : []),
  ];
  return (
    <div className="panel mb-5 overflow-hidden">
      <ListRows
        caption={t("common.rows")}
        part={part}
        columns={columns}
        emptyState={<Empty message={t("documents.bulk.rowTable.noSuchRows")} />}
      />
    </div>
  );
}

const looks: Record<RowState, Look & { word: string }> = {
  waiting: { word: t("documents.bulk.rowTable.waits"), className: "is-idle", Icon: Clock },
  issued: { word: t("common.issued"), className: "is-ok", Icon: CircleCheck },
  refused: { word: t("common.refused"), className: "is-bad", Icon: CircleAlert },
  "left out": { word: t("documents.bulk.rowTable.leftOut"), className: "is-warn", Icon: CircleMinus },
};

function Result({
  row: { state, problems, notes, document, release, number, pages },
  issue,
}: {
  row: Row;
  issue: RowTableProps["issue"];
}) {
  const ready = {
    word: t("documents.bulk.rowTable.readyWithPages", { pages }),
    className: "is-ok",
    Icon: CircleCheck,
  };
  const wrong = { word: t("documents.bulk.rowTable.wrong"), className: "is-bad", Icon: CircleAlert };
  const awaits = { ...looks.waiting, word: t("documents.releases.awaitingRelease") };
  const done = release === null ? looks[state] : awaits;
  const look = issue.state === "checked" ? (problems.length > 0 ? wrong : ready) : done;
  return (
    <div className="min-w-0">
      <Chip look={look} word={look.word} />{" "}
      {document !== null && (
        <a className="code" translate="no" href={`/documents/${document}`}>
          {number}
        </a>
      )}
      {release !== null && issue.is_own && (
        <a href={`/documents/releases/${release}`}>{t("documents.bulk.rowTable.seeIt")}</a>
      )}
      {problems.length > 0 && (
        <ul className="mt-1 grid gap-1 whitespace-normal">
          {problems.map(({ column, message }) => (
            <li key={column + message}>
              {column && <b>{column}: </b>}
              {message}
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <div className="mt-1 text-muted">
          <NoteList notes={notes} />
        </div>
      )}
    </div>
  );
}
