import { type Kysely, sql } from "kysely";

/** When a user was last invited. Of earlier invitations the audit trail knows, unless it was shortened. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table users add column invited_at text`.execute(db);
  await sql`update users set invited_at = coalesce(
    (select max(audit.at) from audit
      where audit.company_id = users.company_id and audit.entity = 'user' and audit.entity_id = users.id
        and audit.action = 'invited'),
    users.created_at
  ) where users.password_hash is null and users.erased_at is null`.execute(db);
}
