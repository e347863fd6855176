import { type Kysely, sql } from "kysely";

/** The language of the page on which a visitor complained, in which an answer is read. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table complaints add column language text not null default ''`.execute(db);
}
