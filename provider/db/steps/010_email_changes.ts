import { type Kysely, sql } from "kysely";

/** Email addresses that users are to have once they open the link sent there. It imports nothing of ours. */
export async function emailChanges(db: Kysely<unknown>) {
  await sql`create table email_changes (
    user_id integer primary key references users (id),
    email text not null,
    token_hash text not null references tokens (hash) on delete cascade
  )`.execute(db);
  await sql`create index email_changes_by_token on email_changes (token_hash)`.execute(db);
}
