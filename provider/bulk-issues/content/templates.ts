import type { TemplateColumn } from "#lib/page-files/templates/template.ts";
import type { Db } from "../../db/tables.ts";
import type { StoredBulkIssue } from "../bulk-issue-queries.ts";

/** Templates as bulk issues need them. */

type Chosen = Pick<StoredBulkIssue, "company_id" | "template_id">;

/** The template of a bulk issue, with the names of its columns; undefined if it is gone. */
export async function templateOf(db: Db, { company_id, template_id }: Chosen) {
  if (template_id === null) return undefined;
  const template = await db
    .selectFrom("templates")
    .where("company_id", "=", company_id)
    .where("id", "=", template_id)
    .select(["id", "name", "file_key", "pages", "columns", "notes", "version", "qr_placing"])
    .executeTakeFirst();
  if (!template) return undefined;
  const fields = JSON.parse(template.columns) as TemplateColumn[];
  return { ...template, fields, columns: fields.map(({ name }) => name) };
}

/** Templates and ZIPs that a company's bulk issues can use. */
export const templatesOf = (db: Db, companyId: number) =>
  db.selectFrom("templates").where("company_id", "=", companyId).orderBy("name_key").select(["id", "name"]).execute();
