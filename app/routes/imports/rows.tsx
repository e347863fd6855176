import { CircleCheck, CircleMinus, OctagonAlert, Pencil, Plus } from "lucide-react";
import { say } from "#messages/staff.ts";
import type { ImportRow, ImportRowState } from "#provider/contract/imports.ts";
import type { Column } from "../../components/table.tsx";
import { fieldLabel, type Noun } from "./noun.ts";

type Look = { word: string; className: string; Icon: typeof Plus };

/** The states of rows, in the order in which they are counted. */
export const looks: Record<ImportRowState, Look> = {
  new: { word: say("imports.rows.new"), className: "is-ok", Icon: Plus },
  changed: { word: say("imports.rows.changed"), className: "is-warn", Icon: Pencil },
  unchanged: { word: say("imports.rows.unchanged"), className: "is-idle", Icon: CircleMinus },
  refused: { word: say("common.refused"), className: "is-bad", Icon: OctagonAlert },
  added: { word: say("imports.rows.added"), className: "is-ok", Icon: CircleCheck },
  saved: { word: say("imports.rows.saved"), className: "is-ok", Icon: CircleCheck },
};

/** The state that the filter names. */
export const stateCalled = (word: string | undefined) =>
  Object.entries(looks).find(([, look]) => look.word.toLowerCase() === word?.toLowerCase())?.[0] ?? "";

export const columnsFor = (noun: Noun): Column<ImportRow>[] => [
  { label: say("common.line"), sort: "line", cell: ({ line }) => <LineNumber line={line} /> },
  { label: say("common.name"), cell: ({ name }) => name || "–" },
  { label: say("common.state"), cell: ({ state }) => <RowChip state={state} /> },
  {
    label: say("common.changes"),
    cell: ({ why, changes }) =>
      why || (
        <div>
          {changes.map((change) => (
            <Change key={change.field} noun={noun} {...change} />
          ))}
        </div>
      ),
  },
];

/** Cards on phones have no heading for what names them. */
const LineNumber = ({ line }: { line: number }) => (
  <>
    <span className="md:hidden">{say("common.line")} </span>
    {line}
  </>
);

function RowChip({ state }: { state: ImportRowState }) {
  const { word, className, Icon } = looks[state];
  return (
    <span className={`status-chip ${className}`}>
      <Icon className="ico" />
      {word}
    </span>
  );
}

type ChangeProps = ImportRow["changes"][number] & { noun: Noun };

const Change = ({ noun, field, before, after }: ChangeProps) => (
  <span className="block">
    <span className="text-muted">{fieldLabel(noun, field)}:</span>{" "}
    {before && (
      <>
        <del className="no-underline">{before}</del> <span aria-hidden="true">→</span>
        <span className="sr-only">{say("imports.rows.becomes")}</span>{" "}
      </>
    )}
    {after ? <ins className="font-semibold no-underline">{after}</ins> : <i>{say("imports.rows.empty")}</i>}
  </span>
);
