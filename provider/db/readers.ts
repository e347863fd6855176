import type { Kysely } from "kysely";
import type { z } from "zod";
import { type ReaderGroup, readersWithin } from "../access.ts";
import type { Reader } from "../contract/documents.ts";
import type { Tables } from "./tables.ts";

type Found = { id: number; company_id: number; owner_id: number };

/** The users who may read a document, each with their group. `groups` are all of the company's. */
export const readersOf = (db: Kysely<Tables>, { id, company_id }: Found, groups: ReaderGroup[]) =>
  db
    .selectFrom("users")
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .innerJoin("documents", (join) => join.on("documents.id", "=", id))
    .where("users.company_id", "=", company_id)
    .where("users.active", "=", 1)
    .where(readersWithin(groups))
    .select(["users.id", "users.name", "users.email", "access_groups.name as staff", "access_groups.docs"]);

type Row = Awaited<ReturnType<ReturnType<typeof readersOf>["execute"]>>[number];

/** A row of `readersOf` for a reply. */
export const asReader =
  ({ owner_id }: Found) =>
  (row: Row) =>
    ({ ...row, owner: row.id === owner_id }) satisfies z.input<typeof Reader>;
