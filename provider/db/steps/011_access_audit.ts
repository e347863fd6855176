import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * Sessions get a public number and their browser's label; the audit trail entries of access beside those of changes,
 * with a count for what is noted once for many times; and users may have been erased. Frozen: it imports nothing of ours.
 */
export async function accessAudit(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const random = isPostgres ? "floor(random() * 2147483646)::integer + 1" : "abs(random() % 2147483646) + 1";
  for (const statement of [
    'alter table "tokens" add column "public_id" integer',
    `alter table "tokens" add column "browser" text not null default ''`,
    `update "tokens" set "public_id" = ${random} where "kind" = 'session'`,
    `alter table "audit" add column "trail" text not null default 'changes'`,
    'alter table "audit" add column "count" integer not null default 1',
    'alter table "audit" add column "first_at" text',
    `alter table "audit" add column "browser" text not null default ''`,
    `alter table "audit" add column "network" text not null default ''`,
    'alter table "audit" add column "bound" text',
    'alter table "audit" add column "within" text',
    'create index "audit_by_trail" on "audit" ("company_id", "trail", "at", "id")',
    'create index "audit_by_age" on "audit" ("trail", "at")',
    'create unique index "audit_by_bound" on "audit" ("bound", "within")',
    'alter table "users" add column "erased_at" text',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
