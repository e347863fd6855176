import { say } from "#lib/messages/staff.ts";
import { alertInWords } from "../scan/alert-words.ts";
import { caseInWords } from "../scan/case-words.ts";
import { showDate } from "../text/format.ts";
import { type DocumentState, stateWords } from "../scan/state-words.ts";
import type { Column } from "./table.tsx";

/** The columns of each list that a saved view can choose. The first column and the actions are always shown. */

type ViewColumn = {
  /** As in the row. */
  name: string;
  label: string;
  isUsual?: true;
  /** A value in words. */
  show?(value: string): string;
};

const longestCell = 160;

/** A long text's beginning in one line; the record's page has the whole. */
function beginningOf(text: string) {
  const line = [...text.replaceAll(/\s+/g, " ")];
  if (line.length <= longestCell) return line.join("");
  return `${line.slice(0, longestCell).join("").replace(/ \S*$/, "")}…`;
}

const documents: ViewColumn[] = [
  { name: "branch", label: say("common.branch"), isUsual: true },
  { name: "user", label: say("common.user"), isUsual: true },
  { name: "category", label: say("common.category"), isUsual: true },
  { name: "date", label: say("common.date"), isUsual: true },
  { name: "number", label: say("common.number"), isUsual: true },
  { name: "email", label: say("common.email") },
  { name: "expire_date", label: say("common.expireDate"), show: showDate },
  { name: "validity", label: say("common.state"), show: (validity) => stateWords[validity as DocumentState] ?? "" },
  { name: "users_access_group", label: say("common.companyUsersAccessGroup") },
];

export const viewColumns = {
  documents,
  archive: documents,
  alerts: [
    { name: "branch", label: say("common.branch"), isUsual: true },
    { name: "alert", label: say("common.alert"), show: alertInWords, isUsual: true },
    { name: "date", label: say("common.date"), isUsual: true },
    { name: "number", label: say("common.alertNumber") },
    { name: "count", label: say("components.viewColumns.times") },
    { name: "reason", label: say("common.reason"), show: beginningOf },
    { name: "owner", label: say("common.owner"), show: (owner) => owner || say("common.noOwner") },
    { name: "case_state", label: say("components.viewColumns.caseState"), show: caseInWords },
  ],
  users: [
    { name: "role", label: say("common.role"), isUsual: true },
    { name: "country", label: say("common.country"), isUsual: true },
    { name: "city", label: say("common.city"), isUsual: true },
    { name: "index", label: say("common.index"), isUsual: true },
    { name: "branch", label: say("common.branch"), isUsual: true },
    { name: "staff", label: say("common.accessGroup") },
    { name: "phone", label: say("common.phone") },
  ],
  branches: [
    { name: "country", label: say("common.country"), isUsual: true },
    { name: "city", label: say("common.city"), isUsual: true },
    { name: "email", label: say("common.email") },
    { name: "phone", label: say("common.phone") },
    { name: "index", label: say("common.index") },
    { name: "address", label: say("common.address") },
    { name: "manager", label: say("common.manager") },
  ],
} satisfies Record<string, ViewColumn[]>;

/** Before the name of a custom field in a view's columns. */
export const customPrefix = "custom:";

/** The names of custom fields among a view's columns. */
export const customNames = (columns: readonly string[]) =>
  columns.filter((name) => name.startsWith(customPrefix)).map((name) => name.slice(customPrefix.length));

/** A list's columns as a view chose them, in its order; undefined or none are the usual ones. */
export function chosenColumns<Row extends object>(
  list: keyof typeof viewColumns,
  usual: Column<Row, string>[],
  chosen: readonly string[] | undefined,
): Column<Row, string>[] {
  if (!chosen || chosen.length === 0) return usual;
  const columnBySort = new Map(usual.map((column) => [column.sort, column]));
  const columns: ViewColumn[] = viewColumns[list];
  const picked = chosen.flatMap((name) => {
    const column = columns.find((one) => one.name === name);
    if (column) return [columnBySort.get(name) ?? plainColumn<Row>(column)];
    return customNames([name]).map((label) => plainColumn<Row>({ name, label }));
  });
  return [usual[0]!, ...picked, ...usual.filter(({ className }) => className === "act")];
}

const plainColumn = <Row extends object>({ name, label, show = String }: ViewColumn): Column<Row> => ({
  label,
  cell: (row) => show(String((row as Record<string, unknown>)[name] ?? "")),
});
