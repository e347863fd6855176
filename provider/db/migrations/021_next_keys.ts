import { type Kysely, sql } from "kysely";

/** Seal keys are published a day before they are used: a company can have one that is next, beside the one in use. */
export async function up(db: Kysely<unknown>) {
  for (const statement of [
    `alter table "seal_keys" add column "used_from" text`,
    `update "seal_keys" set "used_from" = "created_at"`,
    'drop index "seal_keys_active"',
    `create unique index "seal_keys_active" on "seal_keys" ("company_id")
      where "retired_at" is null and "revoked_at" is null and "used_from" is not null`,
    `create unique index "seal_keys_next" on "seal_keys" ("company_id")
      where "retired_at" is null and "revoked_at" is null and "used_from" is null`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
