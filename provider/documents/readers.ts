import type { Kysely } from "kysely";
import { TRUE } from "../db/flags.ts";
import { alertReadersWithin, type ReaderGroup, readersWithin } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import type { Reader } from "../contract/documents.ts";
import type { Tables } from "../db/tables.ts";

type SharedDocument = { id: number; company_id: number; owner_id: number };

/** The users who can see a document, each with the group that lets them. `groups` are all groups of the company. */
export const readersOf = (db: Kysely<Tables>, { id, company_id }: SharedDocument, groups: ReaderGroup[]) =>
  db
    .selectFrom("users")
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .innerJoin("documents", (join) => join.on("documents.id", "=", id))
    .where("users.company_id", "=", company_id)
    .where("users.active", "=", TRUE)
    .where(readersWithin(groups))
    .select(["users.id", "users.name", "users.email", "access_groups.name as staff", "access_groups.docs"]);

type ReaderRow = Awaited<ReturnType<ReturnType<typeof readersOf>["execute"]>>[number];

/** A row of `readersOf` in the contract's form. */
export const asReader =
  ({ owner_id }: SharedDocument) =>
  (row: ReaderRow) =>
    ({ ...row, owner: row.id === owner_id }) satisfies Complete<typeof Reader>;

/** Active users who can read the alerts about a document. `groups` are all groups of the company. */
export const alertReadersOf = (
  db: Kysely<Tables>,
  { id, company_id }: Pick<SharedDocument, "id" | "company_id">,
  groups: ReaderGroup[],
) =>
  db
    .selectFrom("users")
    .innerJoin("documents", (join) => join.on("documents.id", "=", id))
    .where("users.company_id", "=", company_id)
    .where("users.active", "=", TRUE)
    .where(alertReadersWithin(groups))
    .select(["users.id", "users.name", "users.email"]);
