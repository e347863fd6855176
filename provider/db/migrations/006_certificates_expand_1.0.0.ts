import { type Kysely, sql } from "kysely";

/** What certificates say of a company, and the revocation list of each root. `../tables/` says what the columns mean. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    "alter table companies add column organization_id text not null default ''",
    "alter table seal_roots add column revocation_list text",
    "alter table seal_roots add column list_made_at text",
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
