import { noteSentences } from "#lib/page-files/notes/notes.ts";
import type { Complete } from "../contract/call.ts";
import type { Template, TemplateColumn } from "../contract/templates.ts";
import type { Db } from "../db/tables.ts";

/** A company's templates. */
export const templateRows = (db: Db, companyId: number) =>
  db
    .selectFrom("templates")
    .where("templates.company_id", "=", companyId)
    .select(["id", "name", "file_key", "pages", "bytes", "columns", "notes", "version", "created_at", "changed_at"])
    .select(["qr_placing", "width", "height"]);

export type TemplateRow = Awaited<ReturnType<ReturnType<typeof templateRows>["execute"]>>[number];

/** A row of `templateRows` in the contract's form. */
export const asTemplate = ({ file_key: _, columns, notes, bytes, ...template }: TemplateRow) =>
  ({
    ...template,
    bytes: Number(bytes),
    columns: JSON.parse(columns) as TemplateColumn[],
    notes: noteSentences(template.name, JSON.parse(notes) as string[], true),
  }) satisfies Complete<typeof Template>;
