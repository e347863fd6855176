import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { describe, expect, test } from "vitest";
import * as access from "./access.ts";
import type { Actor } from "./access.ts";
import { areas } from "./contract/areas.ts";
import type { Permissions } from "./contract/permissions.ts";
import type { Tables } from "./db/tables.ts";

const none = Object.fromEntries(areas.map((area) => [area, ""])) as Permissions;
const all = Object.fromEntries(areas.map((area) => [area, "C:R/W/C"])) as Permissions;

/** Of company 1, branch 1 and group 5. */
const actorWith = (permissions: Partial<Permissions>, branch_id: number | null = 1): Actor => ({
  id: 1,
  company_id: 1,
  branch_id,
  access_group_id: 5,
  name: "Ada",
  email: "ada@hallam.example",
  timezone: "UTC",
  permissions: { ...none, ...permissions },
});
const administrator = { roles: "C:R/W/C" };

const sqlite = new Database(":memory:");
sqlite.exec(`
  create table documents (id, company_id, owner_id, branch_id, access_group_id);
  insert into documents values
    (1, 1, 1, 1, null), (2, 1, 2, 1, null), (3, 1, 2, 2, null), (4, 1, 2, 1, 9),
    (5, 1, 2, 1, 5), (6, 1, 1, 2, 9), (7, 2, 1, 1, null), (8, 1, 2, null, null);
  create table users (id, company_id, branch_id, access_group_id);
  insert into users values (1, 1, 1, 5), (2, 1, 1, 9), (3, 1, 2, 5), (4, 2, 1, 5), (5, 1, null, 5);
  create table branches (id, company_id, active);
  insert into branches values (1, 1, 1), (2, 1, 1), (3, 1, 0), (4, 2, 1);
`);
const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });

/** The ids of a table's rows that a filter lets through. */
async function idsOf<Table extends "documents" | "users" | "branches">(table: Table, filter: unknown) {
  const rows = await db
    .selectFrom(table as "documents")
    .select("id")
    .where(filter as never)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

describe("documents of a right", () => {
  test.each([
    ["the company's, but not of other groups", { docs: "C:R" }, [1, 2, 3, 5, 6, 8]],
    ["all of the company for an administrator", { docs: "C:R", ...administrator }, [1, 2, 3, 4, 5, 6, 8]],
    ["of the branch and one's own", { docs: "B:R" }, [1, 2, 5, 6]],
    ["of the branch for an administrator", { docs: "B:R", ...administrator }, [1, 2, 4, 5, 6]],
    ["one's own", { docs: "P:R" }, [1, 6]],
    ["none without the right", { alerts: "C:R", map: "C:R" }, []],
  ])("are %s", async (_, permissions, ids) => {
    expect(await idsOf("documents", access.documentsWithin(actorWith(permissions), "read"))).toEqual(ids);
  });

  test("are those of that right in that area", async () => {
    const actor = actorWith({ docs: "P:R", alerts: "B:W", map: "C:R" });
    expect(await idsOf("documents", access.documentsWithin(actor, "write"))).toEqual([]);
    expect(await idsOf("documents", access.alertsWithin(actor, "read"))).toEqual([1, 2, 5, 6]);
    expect(await idsOf("documents", access.exactPlacesWithin(actor))).toEqual([1, 2, 5, 6]);
    expect(await idsOf("documents", access.exactPlacesWithin(actorWith({ alerts: "C:R" })))).toEqual([]);
    expect(await idsOf("documents", access.scansWithin(actor))).toEqual([1, 2, 3, 5, 6, 8]);
  });

  test.each([
    ["company", { docs: "C:R" }, undefined],
    ["personal", { docs: "P:R" }, [{ column: "owner_id", value: 1 }]],
    ["none", {}, [{ column: "owner_id", value: 1 }]],
    [
      "branch",
      { docs: "B:R" },
      [
        { column: "branch_id", value: 1 },
        { column: "owner_id", value: 1, notOfBranch: 1 },
      ],
    ],
  ])("lie in the partitions of the scope %s", (_, permissions, partitions) => {
    expect(access.indexPartitions(actorWith(permissions))).toEqual(partitions);
  });

  test("of a user without a branch lie in one partition", () => {
    expect(access.indexPartitions(actorWith({ docs: "B:R" }, null))).toEqual([{ column: "owner_id", value: 1 }]);
  });

  test("are all of the company's for administrators with a right of the company alone", () => {
    expect(access.seesAllDocuments(actorWith({ docs: "C:R", ...administrator }))).toBe(true);
    expect(access.seesAllDocuments(actorWith({ docs: "C:R" }))).toBe(false);
    expect(access.seesAllDocuments(actorWith({ docs: "B:R", ...administrator }))).toBe(false);
    expect(access.seesAllDocuments(actorWith({ docs: "C:R", ...administrator }), "docs", "write")).toBe(false);
    expect(access.seesAllDocuments(actorWith({ docs: "C:R", ...administrator }), "alerts")).toBe(false);
  });

  test("have a key for caches that differs with all that decides about them", () => {
    const actor = actorWith({ docs: "B:R" });
    const others = [{ id: 2 }, { branch_id: 2 }, { access_group_id: 6 }, { permissions: none }];
    const keys = [actor, ...others.map((other) => ({ ...actor, ...other }))].map(access.reachKey);
    expect(new Set(keys).size).toBe(5);
    expect(access.reachKey({ ...actor, name: "Another name" })).toBe(keys[0]);
  });
});

test("documents of a user out of the actor's scope are those that the user's rights reach and the actor's do not", async () => {
  const owned = (permissions: Partial<Permissions>, owner: Partial<Permissions>, id = 2) =>
    idsOf("documents", access.ownedOutOfScope(actorWith(permissions), { id, permissions: { ...none, ...owner } }));
  expect(await owned({ docs: "B:R" }, { docs: "P:R" })).toEqual([3, 4, 8]);
  expect(await owned({ docs: "C:R" }, { docs: "P:R" })).toEqual([4]);
  expect(await owned({ docs: "C:R", ...administrator }, { docs: "P:R" })).toEqual([]);
  expect(await owned({ docs: "C:R", ...administrator }, { docs: "P:R/W" })).toEqual([2, 3, 4, 5, 8]);
  expect(await owned({ docs: "C:R", ...administrator }, { docs: "P:R", map: "P:R" })).toEqual([2, 3, 4, 5, 8]);
  expect(await owned({ docs: "C:R", ...administrator }, { docs: "P:R", alerts: "P:R" })).toEqual([2, 3, 4, 5, 8]);
  expect(await owned({}, { users: "C:R" })).toEqual([]);
  expect(await owned({}, { docs: "P:R" }, 1)).toEqual([1, 6]);
});

test.each([
  ["docs", access.readersWithin],
  ["alerts", access.alertReadersWithin],
] as const)("documents are paired with the users whose %s they are", async (area, filter) => {
  const groups = [
    { id: 5, company_id: 1, ...none, [area]: "B:R" },
    { id: 9, company_id: 1, ...none, [area]: "C:R" },
  ];
  const rows = await db
    .selectFrom(["documents", "users"])
    .select(["documents.id as document", "users.id as user"])
    .where(filter(groups) as never)
    .execute();
  const documentsOf = (user: number) => rows.filter((row) => row.user === user).map(({ document }) => document);
  expect(documentsOf(1).toSorted()).toEqual([1, 2, 5, 6]);
  expect(documentsOf(2).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 8]);
  expect(documentsOf(3)).toEqual([3]);
  expect(documentsOf(5)).toEqual([]);
});

test("branches are the company's active ones, or one's own", async () => {
  const branches = (permission: string, right: "read" | "write" = "read") =>
    idsOf("branches", access.branchesWithin(actorWith({ branches: permission }), right));
  expect(await branches("C:R")).toEqual([1, 2]);
  expect(await branches("B:R")).toEqual([1]);
  expect(await branches("P:R")).toEqual([1]);
  expect(await branches("C:R", "write")).toEqual([]);
});

test("users are the company's, the branch's with oneself, or oneself", async () => {
  const users = (permission: string, actor = actorWith({ users: permission })) =>
    idsOf("users", access.usersWithin(actor, "users", "read"));
  expect(await users("C:R")).toEqual([1, 2, 3, 5]);
  expect(await users("B:R")).toEqual([1, 2]);
  expect(await users("B:R", { ...actorWith({ users: "B:R" }), id: 3 })).toEqual([1, 2, 3]);
  expect(await users("P:R")).toEqual([1]);
  expect(await users("")).toEqual([]);
  expect(await idsOf("users", access.usersWithin(actorWith({ docs: "P:C" }), "docs", "create"))).toEqual([1]);
});

test("users are assigned to any branch by a right of the company, else to one's own alone", () => {
  const may = (users: string, branch: number | null, actor = actorWith({ users })) =>
    access.mayAssignBranch(actor, branch);
  expect([may("C:W", 2), may("C:W", null), may("B:W", 1), may("B:W", 2)]).toEqual([true, true, true, false]);
  expect(may("B:W", null, actorWith({ users: "B:W" }, null))).toBe(false);
  expect(access.mayAssignBranch(actorWith({ users: "C:C" }), 2)).toBe(false);
  expect(access.mayAssignBranch(actorWith({ users: "C:C" }), 2, "create")).toBe(true);
});

test("a call is for everybody, for signed-in users, or for those with its right", () => {
  const right = { area: "docs", right: "write" } as const;
  expect([access.mayCall("public", undefined), access.mayCall("signed-in", undefined)]).toEqual([true, false]);
  expect([access.mayCall(right, undefined), access.mayCall("signed-in", actorWith({}))]).toEqual([false, true]);
  expect(access.mayCall(right, actorWith({ docs: "P:R/W" }))).toBe(true);
  expect(access.mayCall(right, actorWith({ docs: "C:R" }))).toBe(false);
});

test("a group is beyond the actor if a right of it is missing or reaches further", () => {
  const beyond = (own: Partial<Permissions>, group: Partial<Permissions>) =>
    access.areasBeyond(actorWith(own), { ...none, ...group });
  expect(beyond({ docs: "B:R" }, { docs: "B:R" })).toEqual([]);
  expect(beyond({ docs: "C:R" }, { docs: "P:R" })).toEqual([]);
  expect(beyond({ docs: "B:R" }, { docs: "C:R", map: "P:R" })).toEqual(["docs", "map"]);
  expect(beyond({ docs: "B:R" }, { docs: "B:R/W" })).toEqual(["docs"]);
  expect(beyond(administrator, all)).toEqual([]);
  expect(access.mayAssignGroup(actorWith({ docs: "B:R" }), { ...none, docs: "C:R" })).toBe(false);
  expect(access.mayAssignGroup(actorWith({ docs: "B:R" }), { ...none, docs: "B:R" })).toBe(true);
  expect(access.isAdministrator(actorWith({ roles: "C:R" }))).toBe(false);
});

describe("an actor acts as a user", () => {
  const user = { branch_id: 1, access_group_id: 9, permissions: none, seesRestricted: false, ownsOutOfScope: false };
  const may = (own: Partial<Permissions>, other: object, branch: number | null = 1) =>
    access.mayImpersonate(actorWith(own, branch), { ...user, ...other });

  test("of whom every right is the actor's", () => {
    const docs = (permission: string) => ({ permissions: { ...none, docs: permission } });
    expect(may({}, {})).toBe(true);
    expect(may({ docs: "C:R" }, docs("C:R"))).toBe(true);
    expect(may({ docs: "C:R" }, docs("C:R/W"))).toBe(false);
    expect(may({ docs: "B:R" }, docs("C:R"))).toBe(false);
    expect(may({ docs: "B:R" }, docs("P:R"))).toBe(true);
    expect(may({ docs: "P:R" }, docs("P:R"))).toBe(false);
    expect(may({ docs: "B:R" }, { ...docs("B:R"), branch_id: 2 })).toBe(false);
    expect(may({ docs: "B:R" }, { ...docs("P:R"), branch_id: null }, null)).toBe(false);
    expect(may({ docs: "C:R" }, { ...docs("P:R"), branch_id: null }, null)).toBe(true);
  });

  test("who reads and owns nothing that the actor does not", () => {
    expect(may({}, { seesRestricted: true })).toBe(false);
    expect(may({}, { seesRestricted: true, access_group_id: 5 })).toBe(true);
    expect(may({}, { ownsOutOfScope: true })).toBe(false);
    expect(may(administrator, { permissions: all, seesRestricted: true, ownsOutOfScope: true })).toBe(true);
  });
});
