import { caseInWords } from "./case-words.ts";
import { showDate } from "./format.ts";
import { type DocumentState, stateWords } from "./state-words.ts";
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
  { name: "branch", label: "Branch", isUsual: true },
  { name: "user", label: "User", isUsual: true },
  { name: "category", label: "Category", isUsual: true },
  { name: "date", label: "Date", isUsual: true },
  { name: "number", label: "Number", isUsual: true },
  { name: "email", label: "Email" },
  { name: "expire_date", label: "Expire date", show: showDate },
  { name: "validity", label: "State", show: (validity) => stateWords[validity as DocumentState] ?? "" },
  { name: "users_access_group", label: "Company users access group" },
];

export const viewColumns = {
  documents,
  archive: documents,
  alerts: [
    { name: "branch", label: "Branch", isUsual: true },
    { name: "alert", label: "Alert", isUsual: true },
    { name: "date", label: "Date", isUsual: true },
    { name: "number", label: "Alert number" },
    { name: "count", label: "Times" },
    { name: "reason", label: "Reason", show: beginningOf },
    { name: "owner", label: "Owner", show: (owner) => owner || "No owner" },
    { name: "case_state", label: "Case state", show: caseInWords },
  ],
  users: [
    { name: "role", label: "Role", isUsual: true },
    { name: "country", label: "Country", isUsual: true },
    { name: "city", label: "City", isUsual: true },
    { name: "index", label: "Index", isUsual: true },
    { name: "branch", label: "Branch", isUsual: true },
    { name: "staff", label: "Access group" },
    { name: "phone", label: "Phone" },
  ],
  branches: [
    { name: "country", label: "Country", isUsual: true },
    { name: "city", label: "City", isUsual: true },
    { name: "email", label: "Email" },
    { name: "phone", label: "Phone" },
    { name: "index", label: "Index" },
    { name: "address", label: "Address" },
    { name: "manager", label: "Manager" },
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
  usual: Column<Row>[],
  chosen: readonly string[] | undefined,
): Column<Row>[] {
  if (!chosen || chosen.length === 0) return usual;
  const known = new Map(usual.map((column) => [column.sort, column]));
  const columns: ViewColumn[] = viewColumns[list];
  const picked = chosen.flatMap((name) => {
    const column = columns.find((one) => one.name === name);
    if (column) return [known.get(name) ?? plainColumn<Row>(column)];
    return customNames([name]).map((custom) => customColumn<Row>(custom));
  });
  return [usual[0]!, ...picked, ...usual.filter(({ className }) => className === "act")];
}

const plainColumn = <Row extends object>({ name, label, show = String }: ViewColumn): Column<Row> => ({
  label,
  cell: (row) => show(String((row as Record<string, unknown>)[name] ?? "")),
});

type WithCustomFields = { custom_fields?: { name: string; value: string }[] | undefined };

const customColumn = <Row extends object>(name: string): Column<Row> => ({
  label: name,
  cell: (row) => customValue(row as WithCustomFields, name),
});

/** The value of a document's custom field, whose name is found in any case; empty without it. */
export function customValue({ custom_fields = [] }: WithCustomFields, name: string): string {
  const key = name.toLocaleLowerCase("en");
  return custom_fields.find((field) => field.name.toLocaleLowerCase("en") === key)?.value ?? "";
}
