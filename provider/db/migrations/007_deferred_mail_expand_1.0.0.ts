import { type Kysely, sql } from "kysely";

/** Whether the mail server defers one message alone. `../tables/accounts.ts` says what the column means. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column is_deferred integer not null default 0`.execute(db);
}
