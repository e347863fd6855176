import type { z } from "zod";
import type { BulkIssueRow, commonFields } from "../contract/bulk-issues.ts";
import { bulkFields } from "../contract/bulk-options.ts";
import { type NewDocument, storeDocument } from "../contract/document-form.ts";
import { errorsByField } from "../contract/fields.ts";

/** Turns a row of a table into the draft of a document, checked by the schema of the usual form. */

export type Common = { [Name in keyof typeof commonFields]: z.output<(typeof commonFields)[Name]> };

export type Problem = BulkIssueRow["problems"][number];

export type RowPlan = { common: Common; columns: string[]; mapping: string[] };

export type ReadRow = { draft: NewDocument; problems?: undefined } | { draft?: undefined; problems: Problem[] };

/** The draft of a row's document, or the row's problems, by column. */
export function readRow({ common, columns, mapping }: RowPlan, cells: string[]): ReadRow {
  const fields: Record<string, unknown> = { ...common, number: "", copies: 1 };
  const custom: { name: string; value: string }[] = [];
  /** The column of each field, as the schema's messages name it. */
  const columnOf = new Map<string, string>();
  mapping.forEach((field, n) => {
    const [column, cell] = [columns[n]!, cells[n]?.trim() ?? ""];
    if (field === "custom") {
      if (cell === "") return;
      columnOf.set(`custom_fields[${custom.length}][name]`, column);
      columnOf.set(`custom_fields[${custom.length}][value]`, column);
      custom.push({ name: column, value: cell });
    } else if (Object.hasOwn(bulkFields, field)) {
      columnOf.set(field, column);
      // What all have in common fills an empty cell.
      if (field !== "file" && cell !== "") fields[field] = isDay.has(field) ? dayOf(cell) : cell;
    }
  });
  // A day in the table says itself that the document expires.
  if (columnOf.has("expire_date")) fields.expire_type = fields.expire_date ? "date" : common.expire_type;
  const parsed = storeDocument.body.safeParse({ ...fields, custom_fields: custom });
  if (parsed.success) return { draft: parsed.data };
  return { problems: asProblems(errorsByField(parsed.error), columnOf) };
}

const isDay = new Set(["date", "expire_date"]);

/** A day without the time that exports of other systems add to it. */
const dayOf = (cell: string) =>
  cell.replace(
    /^(\S*\d)(?:T|\s+)\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?\s*(?:[AP]\.?M\.?|Z|[+-]\d{2}:?\d{2})?$/i,
    "$1",
  );

/** Messages by field as problems by column, each field with its first. */
export const asProblems = (errors: Record<string, string[]>, columnOf: Map<string, string>): Problem[] =>
  Object.entries(errors).map(([field, [message]]) => ({ column: columnOf.get(field) ?? "", message: message! }));

/** Which column a field comes from; empty for none. */
export const columnOfField = ({ columns, mapping }: Pick<RowPlan, "columns" | "mapping">, field: string) => {
  const n = mapping.indexOf(field);
  return n < 0 ? "" : columns[n]!;
};

/** A row's value of a field; empty without a column for it. */
export const cellOf = ({ mapping }: Pick<RowPlan, "mapping">, cells: string[], field: string) => {
  const n = mapping.indexOf(field);
  return n < 0 ? "" : (cells[n]?.trim() ?? "");
};

const mostProblems = 20;

/** Problems as they are stored: a table of wrong rows must not take many times the space of its file. */
export const storedProblems = (problems: Problem[]) =>
  JSON.stringify(
    problems.length > mostProblems
      ? [
          ...problems.slice(0, mostProblems),
          { column: "", message: `${problems.length - mostProblems} more problems: correct these first` },
        ]
      : problems,
  );
