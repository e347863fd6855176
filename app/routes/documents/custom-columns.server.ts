import { fold } from "#lib/text.ts";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { customNames, customPrefix } from "../../components/list/view-columns.ts";

/** The value of a document's custom field, whose name is found in any case; empty without it. */
export function customValue({ custom_fields = [] }: Pick<DocumentRow, "custom_fields">, name: string): string {
  const key = fold(name);
  return custom_fields.find((field) => fold(field.name) === key)?.value ?? "";
}

/** Rows with the custom fields of a view's columns as values by the columns' names, in place of all custom fields. */
export const withCustomColumns = (rows: DocumentRow[], columns: readonly string[] = []) =>
  rows.map(({ custom_fields, ...row }) => ({
    ...row,
    ...Object.fromEntries(
      customNames(columns).map((name) => [customPrefix + name, customValue({ custom_fields }, name)]),
    ),
  }));
