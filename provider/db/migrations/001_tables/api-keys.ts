import type { Dialect } from "./dialect.ts";

/** API keys of users. */
export const apiKeys = ({ id }: Dialect) => [
  `create table api_keys (
    id ${id}, user_id integer not null references users (id), name text not null, hash text not null,
    ending text not null, scope text not null, areas text not null, created_at text not null,
    expires_on text not null, used_at text, exposed_at text
  )`,
  "create unique index api_keys_by_hash on api_keys (hash)",
  "create index api_keys_by_user on api_keys (user_id)",
];
