import { type Kysely, sql } from "kysely";

/** The index has an alert's type too: each row was looked up for it, most of what a dashboard's figures took. */
export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "drop index alerts_for_figures",
  `create index alerts_for_figures on alerts
    (company_id, date, document_id, rule, alert, case_state, first_seen_at, completed_at)`,
];
