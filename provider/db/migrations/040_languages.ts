import { type Kysely, sql } from "kysely";

/** The language of a company's documents, and of the page on which a visitor complained; empty where they are unknown. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table companies add column language text not null default ''`.execute(db);
  await sql`alter table complaints add column language text not null default ''`.execute(db);
}
