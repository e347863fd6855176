import { type Kysely, sql } from "kysely";

/** New email addresses that wait for their confirmation link. */
export async function up(db: Kysely<unknown>) {
  await sql`create table email_changes (
    user_id integer primary key references users (id),
    email text not null,
    token_hash text not null references tokens (hash) on delete cascade
  )`.execute(db);
  await sql`create index email_changes_by_token on email_changes (token_hash)`.execute(db);
}
