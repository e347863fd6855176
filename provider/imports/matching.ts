import { sql } from "kysely";
import { fold, foldEmail } from "#lib/text.ts";
import { type Actor, branchesWithin, usersWithin } from "../access.ts";
import type { ImportKind } from "../contract/imports.ts";
import { branchRows } from "../branches/branch-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { userRows } from "../users/user-queries.ts";
import { keyFields } from "./columns.ts";
import { isAmong } from "../db/lists.ts";

/** A record as an import compares it. */
export type Current = {
  id: number;
  version: number;
  name: string;
  values: Record<string, string>;
  mayWrite: boolean;
  /** Whether it is a user who can sign in with their address. */
  hasJoined: boolean;
  branch_id: number | null;
  access_group_id: number;
  manager_id: number | null;
};

type Wanted = { id: number | undefined; key: string };

/** How rows are matched without an id: users by their email address. */
export const keyOf = { users: foldEmail, branches: fold } as const satisfies Record<ImportKind, unknown>;

/** Finds the records of rows that the actor may read, by id or else by email or name. */
export async function findRecords(db: Db, actor: Actor, kind: ImportKind, wanted: Wanted[]) {
  const ids = [0, ...wanted.flatMap(({ id }) => id ?? [])];
  const asKey = keyOf[kind];
  const keys = ["", ...wanted.flatMap(({ id, key }) => (id === undefined && key ? [asKey(key)] : []))];
  const records =
    kind === "users" ? await findUsers(db, actor, { ids, keys }) : await findBranches(db, actor, { ids, keys });
  const byId = new Map(records.map((record) => [record.id, record]));
  const byKey = new Map(records.map((record) => [asKey(record.values[keyFields[kind]]!), record]));
  return ({ id, key }: Wanted): Current | undefined => (id === undefined ? byKey.get(asKey(key)) : byId.get(id));
}

type Keys = { ids: number[]; keys: string[] };

async function findUsers(db: Db, actor: Actor, { ids, keys }: Keys): Promise<Current[]> {
  const rows = await userRows(db)
    .where("users.active", "=", TRUE)
    .where(usersWithin(actor, "users", "read"))
    .where((eb) => eb.or([isAmong(db, "users.id", ids), eb("users.email_key", "in", keys)]))
    .select((eb) => [
      eb
        .case()
        .when(usersWithin(actor, "users", "write")(eb))
        .then(1)
        .else(0)
        .end()
        .as("may_write"),
      sql<number>`case when ${eb.ref("users.password_hash")} is null then 0 else 1 end`.as("joined"),
    ])
    .execute();
  return rows.map(({ id, version, branch_id, access_group_id, may_write, joined, ...row }) => {
    const { name, email, phone, role, staff, country, city, index, info } = row;
    const values = { name, email, phone, role, staff, country, city, index, branch: row.branch ?? "", info };
    const record = { id, version, name, values, branch_id, access_group_id, manager_id: null };
    return { ...record, mayWrite: Number(may_write) === 1, hasJoined: Number(joined) === 1 };
  });
}

async function findBranches(db: Db, actor: Actor, { ids, keys }: Keys): Promise<Current[]> {
  const rows = await branchRows(db)
    .where(branchesWithin(actor, "read"))
    .where((eb) => eb.or([isAmong(db, "branches.id", ids), eb("branches.name_key", "in", keys)]))
    .select((eb) => eb.case().when(branchesWithin(actor, "write")(eb)).then(1).else(0).end().as("may_write"))
    .execute();
  return rows.map(({ id, version, manager_id, may_write, ...row }) => {
    const { name, email, phone, country, city, index, address } = row;
    const values = { name, email, phone, country, city, index, address, manager: row.manager ?? "" };
    const record = { id, version, name, values, branch_id: null, access_group_id: 0, manager_id };
    return { ...record, mayWrite: Number(may_write) === 1, hasJoined: false };
  });
}
