import type { z } from "zod";
import { englishNameOf, languageNames } from "#lib/messages/language-names.ts";
import { languages } from "#lib/messages/languages.ts";
import { fold } from "#lib/text.ts";
import type { BulkIssueRow, commonFields } from "../contract/bulk-issues.ts";
import { bulkFields } from "../contract/bulk-options.ts";
import { type NewDocument, storeDocument } from "../contract/document-form.ts";
import { errorsByField } from "../contract/fields.ts";
import { newRecipient } from "../contract/recipients.ts";
import type { NewRecipient } from "../recipients/recipients.ts";

/** Turns a row of a table into the draft of a document, checked by the schema of the usual form. */

export type Common = { [Name in keyof typeof commonFields]: z.output<(typeof commonFields)[Name]> };

export type Problem = BulkIssueRow["problems"][number];

export type RowPlan = { common: Common; columns: string[]; mapping: string[] };

/** `recipient` is whom the document is sent to, if its row names one. */
export type ReadRow =
  | { draft: NewDocument; recipient?: NewRecipient | undefined; problems?: undefined }
  | { draft?: undefined; recipient?: undefined; problems: Problem[] };

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
  const { recipient, errors } = readRecipient(fields);
  const refusals = { ...(parsed.error && errorsByField(parsed.error)), ...errors };
  if (parsed.data && !errors) return { draft: parsed.data, recipient };
  return { problems: asProblems(refusals, columnOf) };
}

type Recipient = { recipient?: NewRecipient; errors?: Record<string, string[]> };

/** Without any of its cells there is nobody to send the document to. */
function readRecipient({ recipient_name, recipient_email, recipient_language }: Record<string, unknown>): Recipient {
  if (!recipient_name && !recipient_email && !recipient_language) return {};
  const parsed = newRecipient.safeParse({
    name: recipient_name ?? "",
    email: recipient_email ?? "",
    language: languageOf(String(recipient_language ?? "")),
  });
  if (parsed.success) return { recipient: parsed.data };
  const errors = Object.entries(errorsByField(parsed.error));
  return { errors: Object.fromEntries(errors.map(([field, messages]) => [`recipient_${field}`, messages])) };
}

/** A language by its tag, as `de` or `pt-BR`, or by its name. */
function languageOf(cell: string) {
  const named = languages.find((language) =>
    [languageNames[language], englishNameOf(language)].some((name) => fold(name) === fold(cell)),
  );
  return named ?? (cell.toLowerCase().split(/[-_]/)[0] || undefined);
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
