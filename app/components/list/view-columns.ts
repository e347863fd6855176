import { t } from "#lib/messages/staff.ts";
import { alertInWords } from "../scan/alert-words.ts";
import { caseInWords } from "../scan/case-words.ts";
import { showDate } from "../text/format.ts";
import { type DocumentState, stateWords } from "../scan/state-words.ts";
import type { Column, ListColumn } from "./table.tsx";

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

const documents = [
  { name: "branch", label: t("common.branch"), isUsual: true },
  { name: "user", label: t("common.user"), isUsual: true },
  { name: "category", label: t("common.category"), isUsual: true },
  { name: "date", label: t("common.date"), isUsual: true },
  { name: "number", label: t("common.number"), isUsual: true },
  { name: "email", label: t("common.email") },
  { name: "expire_date", label: t("common.expireDate"), show: showDate },
  { name: "validity", label: t("common.state"), show: (validity) => stateWords[validity as DocumentState] ?? "" },
  { name: "users_access_group", label: t("common.companyUsersAccessGroup") },
] as const satisfies readonly ViewColumn[];

export const viewColumns = {
  documents,
  archive: documents,
  alerts: [
    { name: "branch", label: t("common.branch"), isUsual: true },
    { name: "alert", label: t("common.alert"), show: alertInWords, isUsual: true },
    { name: "date", label: t("common.date"), isUsual: true },
    { name: "number", label: t("common.alertNumber") },
    { name: "count", label: t("components.viewColumns.times") },
    { name: "reason", label: t("common.reason"), show: beginningOf },
    { name: "owner", label: t("common.owner"), show: (owner) => owner || t("common.noOwner") },
    { name: "case_state", label: t("components.viewColumns.caseState"), show: caseInWords },
  ],
  users: [
    { name: "role", label: t("common.role"), isUsual: true },
    { name: "country", label: t("common.country"), isUsual: true },
    { name: "city", label: t("common.city"), isUsual: true },
    { name: "index", label: t("common.index"), isUsual: true },
    { name: "branch", label: t("common.branch"), isUsual: true },
    { name: "staff", label: t("common.accessGroup") },
    { name: "phone", label: t("common.phone") },
  ],
  branches: [
    { name: "country", label: t("common.country"), isUsual: true },
    { name: "city", label: t("common.city"), isUsual: true },
    { name: "email", label: t("common.email") },
    { name: "phone", label: t("common.phone") },
    { name: "index", label: t("common.index") },
    { name: "address", label: t("common.address") },
    { name: "manager", label: t("common.manager") },
  ],
} as const satisfies Record<string, readonly ViewColumn[]>;

/** Before the name of a custom field in a view's columns. */
export const customPrefix = "custom:";

/** The names of custom fields among a view's columns. */
export const customNames = (columns: readonly string[]) =>
  columns.filter((name) => name.startsWith(customPrefix)).map((name) => name.slice(customPrefix.length));

export type ColumnName<List extends keyof typeof viewColumns> = (typeof viewColumns)[List][number]["name"];

/** A list's columns as a view chose them, in its order; undefined or none are the usual ones, each with its sort's name. */
export function chosenColumns<List extends keyof typeof viewColumns, Row extends object>(
  list: List & (ColumnName<List> extends keyof Row ? unknown : never),
  usual: ListColumn<Row, "name" | ColumnName<List>>[],
  chosen: readonly string[] | undefined,
): Column<Row, string>[] {
  if (!chosen || chosen.length === 0) return usual;
  const columnBySort = new Map<string | undefined, Column<Row, string>>(usual.map((column) => [column.sort, column]));
  const columns: readonly ViewColumn[] = viewColumns[list];
  const picked = chosen.flatMap((name) => {
    const column = columns.find((one) => one.name === name);
    if (column) return [columnBySort.get(name) ?? plainColumn<Row>(column)];
    return customNames([name]).map((label) => plainColumn<Row>({ name, label }));
  });
  // Narrow rows show what was picked, in its order.
  const inOrder = picked.map((column, n) => ({ ...column, className: n === 0 ? "first" : undefined }));
  return [usual[0]!, ...inOrder, ...usual.filter(({ className }) => className?.startsWith("act"))];
}

const plainColumn = <Row extends object>({ name, label, show = String }: ViewColumn): Column<Row> => ({
  label,
  cell: (row) => show(String((row as Record<string, unknown>)[name] ?? "")),
});
