import { type Kysely, sql } from "kysely";

/** What a company's directory says by SCIM. `../tables/accounts.ts` and `../tables/api-keys.ts` say what the columns mean. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const names = ["user_name", "user_name_key", "external_id", "given_name", "family_name", "department"];
  const statements = [
    ...names.map((name) => `alter table users add column ${name} text not null default ''`),
    "alter table access_groups add column external_id text not null default ''",
    "alter table api_keys add column access_group_id integer references access_groups (id)",
    "create unique index users_by_user_name on users (company_id, user_name_key) where user_name_key <> ''",
    "create index users_by_external_id on users (company_id, external_id) where external_id <> ''",
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
