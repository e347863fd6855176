import { CircleCheck, CircleMinus, OctagonAlert, Pencil, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { t, tRich } from "#lib/messages/staff.ts";
import type { ImportRowState } from "#provider/contract/imports.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { Chip, type Look } from "../../components/scan/chip.tsx";
import { capital } from "../../components/text/format.ts";
import { hidden } from "../../components/text/message-elements.tsx";
import type { Column } from "../../components/list/table.tsx";
import type { LabelledRow } from "./labelled-rows.server.ts";

/** The states of rows, in the order in which they are counted. */
export const looks: Record<ImportRowState, Look & { word: string }> = {
  new: { word: t("imports.rows.new"), className: "is-ok", Icon: Plus },
  changed: { word: t("imports.rows.changed"), className: "is-warn", Icon: Pencil },
  unchanged: { word: t("imports.rows.unchanged"), className: "is-idle", Icon: CircleMinus },
  refused: { word: t("common.refused"), className: "is-bad", Icon: OctagonAlert },
  added: { word: t("imports.rows.added"), className: "is-ok", Icon: CircleCheck },
  saved: { word: t("imports.rows.saved"), className: "is-ok", Icon: CircleCheck },
};

/** The filter's choices; in addresses they stay the same in every language. */
export const stateChoices = Object.entries(looks).map(([state, { word }]) => ({
  state,
  value: capital(state),
  label: word,
}));

/** The choice that an address names. */
export const choiceOf = (word = "") => stateChoices.find(({ state }) => state === word.toLowerCase());

export const columns: Column<LabelledRow, SortOf<"listImportRows">>[] = [
  { label: t("common.line"), sort: "line", cell: ({ line }) => <LineNumber line={line} /> },
  { label: t("common.name"), cell: ({ name }) => name || "–" },
  { label: t("common.state"), cell: ({ state }) => <RowChip state={state} /> },
  {
    label: t("common.changes"),
    cell: ({ why, changes }) =>
      why || (
        <div>
          {changes.map((change) => (
            <Change key={change.field} {...change} />
          ))}
        </div>
      ),
  },
];

/** Cards on phones have no heading for what names them. */
const LineNumber = ({ line }: { line: number }) =>
  tRich("imports.rows.lineNumber", { line, phone: (words) => <span className="md:hidden">{words}</span> });

const RowChip = ({ state }: { state: ImportRowState }) => <Chip look={looks[state]} word={looks[state].word} />;

/** A field's value before and after. */
function Change({ label: field, before, after }: LabelledRow["changes"][number]) {
  const words = { field, label, old, sign, hidden };
  return (
    <span className="block">
      {after === ""
        ? tRich("imports.rows.changeToEmpty", { ...words, before, none })
        : before === ""
          ? tRich("imports.rows.changeOfEmpty", { ...words, after, new: now })
          : tRich("imports.rows.change", { ...words, before, after, new: now })}
    </span>
  );
}

const label = (words: ReactNode) => <span className="text-muted">{words}</span>;
const old = (words: ReactNode) => <del className="no-underline">{words}</del>;
const sign = (words: ReactNode) => <span aria-hidden="true">{words}</span>;
const now = (words: ReactNode) => <ins className="font-semibold no-underline">{words}</ins>;
const none = (words: ReactNode) => <i>{words}</i>;
