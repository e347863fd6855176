import { type Kysely, sql } from "kysely";

/**
 * Rules of alerts as a company sets them: JSON by rule, or null for the defaults. With the company's row, which every scan
 * reads anyway.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table companies add column alert_rules text`.execute(db);
}
