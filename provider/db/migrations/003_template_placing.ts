import { type Kysely, sql } from "kysely";

/** Where the code goes on documents of a template, and the size of its first page in points. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    "qr_placing text not null default ''",
    "width real not null default 0",
    "height real not null default 0",
  ])
    await sql.raw(`alter table templates add column ${column}`).execute(db);
}
