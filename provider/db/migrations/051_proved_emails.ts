import { type Kysely, sql } from "kysely";

/**
 * Whose an email address is: several companies may enter it, and one user has it proved. Earlier users have proved it where the
 * operator's identity provider vouched for them, or where they opened an invitation or a reset link.
 */
export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const identities = (which: string) => `exists (select 1 from identities where user_id = users.id${which})`;
const acted = (what: string) => `exists (select 1 from audit where audit.company_id = users.company_id
  and audit.actor_id = users.id and ${what})`;
const ownEntry = "audit.entity = 'user' and audit.entity_id = users.id and audit.action";

const statements = [
  "alter table users add column email_proved integer not null default 0",
  "alter table users add column taken_over integer not null default 0",
  `update users set email_proved = 1, taken_over = 1 where active = 1 and password_hash is not null and (
    ${identities(" and configured_by = 0")} or ${acted("audit.entity = 'company' and audit.entity_id = users.company_id and audit.action = 'founded'")}
    or ${acted(`${ownEntry} = 'password reset'`)}
    or (${acted(`${ownEntry} = 'joined'`)} and not ${acted(`${ownEntry} = 'identity connected'`)}))`,
  `update users set taken_over = 1 where ${identities("")}`,
  "drop index users_by_email",
  "create unique index users_by_email on users (email_key, company_id) where active = 1",
  "create unique index users_by_proved_email on users (email_key) where active = 1 and email_proved = 1",
];
