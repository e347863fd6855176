import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Public numbers and browser labels of sessions, audit entries of access with a count of repetitions, and erased users. */
export async function up(db: Kysely<unknown>) {
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
