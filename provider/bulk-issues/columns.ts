import { hash } from "node:crypto";
import { fold } from "#lib/text.ts";
import { type BulkField, bulkFields, bulkLimits, templateField } from "../contract/bulk-options.ts";
import type { Db } from "../db/tables.ts";
import { invalid } from "../http/errors.ts";

/** The fields of a table's columns: by their names, by hand, and as the user chose last time. */

export type FieldChoice = { value: string; label: string };

type Content = { content: "zip" | "template"; templateFields: string[]; delivers: boolean };

/** The fields that a column can have. */
export function fieldChoices({ content, templateFields, delivers }: Content): FieldChoice[] {
  const isOffered = (field: string) => (field === "file" ? content === "zip" : delivers || !isOfRecipient(field));
  const own = Object.entries(bulkFields).filter(([field]) => isOffered(field));
  const ofTemplate = content === "template" ? templateFields : [];
  return [
    ...own.map(([value, label]) => ({ value, label })),
    ...ofTemplate.map((name) => ({ value: templateField(name), label: `Template: ${name}` })),
  ];
}

const isOfRecipient = (field: string) => field.startsWith("recipient_");

/** Column names, without case, accents, spaces and punctuation. */
const names: Record<Exclude<BulkField, "custom">, string[]> = {
  number: ["number", "documentnumber", "no", "nr"],
  name: ["name", "documentname", "title"],
  email: ["email", "emailaddress", "useremail", "owner", "owneremail", "user"],
  date: ["date", "creationdate", "issuedate", "issued"],
  expire_date: ["expiredate", "expires", "expire", "expiry", "expirydate", "validuntil"],
  file: ["file", "filename", "pagefile", "pages", "pdf"],
  recipient_name: ["recipient", "recipientname", "recipientsname", "holder", "holdername"],
  recipient_email: ["recipientemail", "recipientemailaddress", "recipientsemail", "holderemail", "sendto"],
  recipient_language: ["recipientlanguage", "language", "maillanguage"],
};

const asName = (text: string) => fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, "");

/** The field of each column by its name, each once; empty for unknown ones. */
export function mappedByName(columns: string[], choices: FieldChoice[]): string[] {
  const fieldOf = new Map<string, string>();
  for (const { value } of choices) {
    const headings = value.startsWith("template:") ? [value.slice("template:".length)] : names[value as "number"];
    for (const name of headings ?? []) fieldOf.set(asName(name), value);
  }
  const used = new Set<string>();
  return columns.map((column) => {
    const field = fieldOf.get(asName(column));
    if (!field || used.has(field)) return "";
    used.add(field);
    return field;
  });
}

/** Throws 422 for a mapping that does not fit to the table. */
export function requireMapping(mapping: string[], columns: string[], choices: FieldChoice[]) {
  const errors: Record<string, string> = {};
  const labels = new Map(choices.map(({ value, label }) => [value, label]));
  const used = new Set<string>();
  const custom = new Set<string>();
  mapping.forEach((field, n) => {
    const name = `mapping[${n}]`;
    if (field === "") return;
    if (!labels.has(field)) errors[name] = `Choose what the column “${columns[n] ?? ""}” is`;
    else if (field === "custom") {
      const folded = fold(columns[n]!);
      if (custom.has(folded)) errors[name] = `Two columns are named “${columns[n]}”: rename one to have both`;
      custom.add(folded);
    } else if (used.has(field)) errors[name] = `Another column is “${labels.get(field)}” already`;
    used.add(field);
  });
  if (
    used.has("recipient_email") !== used.has("recipient_name") ||
    (used.has("recipient_language") && !used.has("recipient_email"))
  ) {
    errors.mapping = "Choose the columns with the recipient’s name and email address, or no column about recipients";
  }
  if (mapping.length !== columns.length) errors.mapping = `Send a field for each of the ${columns.length} columns`;
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const keyOf = (columns: string[], content: string, template: number | null) =>
  hash("sha256", JSON.stringify([columns.map(asName), content, template]), "hex");

type Table = { columns: string[]; content: string; template: number | null };
type Said = Table & { mapping: string[]; at: Date };
const rememberedOfUser = 100;

/** The user's last mapping of a table with these columns, as far as it still fits. */
export async function rememberedMapping(db: Db, userId: number, table: Table, choices: FieldChoice[]) {
  const row = await db
    .selectFrom("bulk_mappings")
    .where("user_id", "=", userId)
    .where("columns_key", "=", keyOf(table.columns, table.content, table.template))
    .select("mapping")
    .executeTakeFirst();
  if (!row) return undefined;
  const fields = new Set(choices.map(({ value }) => value));
  const mapping = JSON.parse(row.mapping) as string[];
  if (mapping.length !== table.columns.length) return undefined;
  return mapping.map((field) => (fields.has(field) ? field : ""));
}

/** Remembers it for the user's next table with these columns; the oldest are forgotten. */
export async function rememberMapping(db: Db, userId: number, { mapping, at, ...table }: Said) {
  const values = { mapping: JSON.stringify(mapping), used_at: at.toISOString() };
  await db
    .insertInto("bulk_mappings")
    .values({ user_id: userId, columns_key: keyOf(table.columns, table.content, table.template), ...values })
    .onConflict((conflict) => conflict.columns(["user_id", "columns_key"]).doUpdateSet(values))
    .execute();
  const newest = db
    .selectFrom("bulk_mappings")
    .where("user_id", "=", userId)
    .orderBy("used_at", "desc")
    .limit(rememberedOfUser)
    .select("columns_key");
  await db.deleteFrom("bulk_mappings").where("user_id", "=", userId).where("columns_key", "not in", newest).execute();
}

/** Column names as they are stored: of a bounded length, each with one. */
export const storedColumns = (columns: string[]) =>
  columns.slice(0, bulkLimits.columns).map((name, n) => name.trim().slice(0, 200) || `Column ${n + 1}`);
