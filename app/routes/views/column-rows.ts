import { t } from "#lib/messages/staff.ts";
import type { ViewedList } from "#provider/contract/views.ts";
import type { Values } from "../../components/form/form-state.ts";
import { customNames, customPrefix, viewColumns } from "../../components/list/view-columns.ts";

/** The rows of a view's form: each is a column, with a box that shows it and its place among those that are shown. */

export type ColumnRow = { name: string; label: string };

/** The chosen columns in their order, then the list's others and the custom fields that are offered. */
export function columnRows(list: ViewedList, offered: string[], chosen: string[]): ColumnRow[] {
  const custom = [...new Set([...offered, ...customNames(chosen)])];
  const rows: ColumnRow[] = [
    ...viewColumns[list],
    ...custom.map((name) => ({ name: customPrefix + name, label: t("views.columnRows.customField", { name }) })),
  ];
  const rank = ({ name }: ColumnRow) => (chosen.includes(name) ? chosen.indexOf(name) : chosen.length);
  return rows.toSorted((one, other) => rank(one) - rank(other)).map(({ name, label }) => ({ name, label }));
}

export const placeField = (row: number) => `places[${row}].place`;

/** The numbers of the columns that are shown. */
export const placesOf = (rows: ColumnRow[], chosen: string[]): Values =>
  Object.fromEntries(
    rows.flatMap(({ name }, row) =>
      chosen.includes(name) ? [[placeField(row), String(chosen.indexOf(name) + 1)]] : [],
    ),
  );
