import { fold } from "#lib/text.ts";
import { type Actor, usersWithin } from "../access.ts";
import { groupNamed, groupsOf, hasAdministrator } from "../access-groups/access-group-queries.ts";
import { deactivateGroup, insertGroup } from "../access-groups/change-access-group.ts";
import { audit } from "../audit/audit-queries.ts";
import { createAccessGroup } from "../contract/access-groups.ts";
import { text } from "../contract/fields.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, HttpError, notFound } from "../http/errors.ts";
import { needsAdministrator } from "../users/change-user.ts";
import { type Columns, readPart } from "./filter.ts";
import { applyToGroup, type DirectoryGroup } from "./group-attributes.ts";
import { bounds, checked, type Operation, type Resource, ScimError, urns } from "./protocol.ts";
import { type Directory, groupOfNewUsers, type Kind, visibleUsers, withMeta } from "./service.ts";

/**
 * Access groups. Each user is in one: who joins a group leaves another, and who leaves one comes into that of new users.
 * A new group has no rights until an administrator gives it some.
 */

const columns: Columns = {
  id: { ref: "access_groups.id", as: "id" },
  displayname: { ref: "access_groups.name_key", as: "text" },
  externalid: { ref: "access_groups.external_id", as: "exact" },
};

const groupRows = (db: Db, companyId: number) =>
  groupsOf(db, companyId).select(["access_groups.id", "access_groups.name", "access_groups.external_id"]);

type GroupRow = Awaited<ReturnType<ReturnType<typeof groupRows>["execute"]>>[number];

/** Resources of groups with their members, who are at most the users of the company. */
async function asResources({ db, actor, base }: Directory, rows: GroupRow[]): Promise<Resource[]> {
  const ids = rows.map(({ id }) => id);
  const members = await visibleUsers(db, actor.company_id)
    .where(isAmong(db, "users.access_group_id", ids))
    .select(["users.id", "users.access_group_id"])
    .orderBy("users.id")
    .execute();
  const byGroup = Map.groupBy(members, ({ access_group_id }) => access_group_id);
  return rows.map(({ id, name, external_id }) =>
    withMeta(base, "Group", {
      schemas: [urns.group],
      id: String(id),
      ...(external_id && { externalId: external_id }),
      displayName: name,
      members: (byGroup.get(id) ?? []).map((user) => ({
        value: String(user.id),
        $ref: `${base}/Users/${user.id}`,
      })),
    }),
  );
}

/** Moves users into an access group. Throws `invalidValue` if one of them is no user of the company. */
async function moveUsers(db: Db, actor: Actor, { ids, to, at }: { ids: number[]; to: number; at: Date }) {
  if (ids.length === 0) return;
  if (ids.length > bounds.members) throw new HttpError(413, `Move ${bounds.members} members at most at once`);
  const members = await visibleUsers(db, actor.company_id)
    .where(usersWithin(actor, "users", "write"))
    .where(isAmong(db, "users.id", ids))
    .innerJoin("access_groups", "access_groups.id", "users.access_group_id")
    .select(["users.id", "users.name", "users.access_group_id", "access_groups.name as group"])
    .execute();
  const missing = ids.find((id) => !members.some((user) => user.id === id));
  if (missing !== undefined) throw new ScimError("invalidValue", `There is no user with the id ${missing}`);
  const { name } = await groupRows(db, actor.company_id).where("access_groups.id", "=", to).executeTakeFirstOrThrow();
  const move = db.updateTable("users").set((eb) => ({ access_group_id: to, version: eb("version", "+", 1) }));
  await move.where(isAmong(db, "users.id", ids)).execute();
  for (const user of members) {
    const subject = { entity: "user", id: user.id, name: user.name } as const;
    await audit(db, { actor, action: "changed", subject, at, before: { staff: user.group }, after: { staff: name } });
  }
}

type Within = { db: Db; actor: Actor; directory: Directory };

/** A group as it is within a transaction. Throws 404, and 412 if the client asks for a version that it no longer has. */
async function stateOf({ db, directory }: Within, id: number): Promise<DirectoryGroup> {
  const resource = await groups.find({ ...directory, db }, id);
  directory.requireVersion?.(resource);
  const {
    displayName,
    externalId = "",
    members,
  } = resource as { [name in "displayName" | "externalId"]: string } & {
    members: { value: string }[];
  };
  return { displayName, externalId, members: new Set(members.map(({ value }) => Number(value))) };
}

/** Stores what operations make of a group within a transaction. */
async function store(within: Within, id: number, operations: Operation[]) {
  const { db, actor, directory } = within;
  const at = directory.services.now();
  const rest = await groupOfNewUsers({ ...directory, db });
  const before = await stateOf(within, id);
  const after = { ...before, members: new Set(before.members) };
  for (const operation of operations) applyToGroup(after, operation);
  const { name, external_id } = await formOf(db, actor, after, id);
  if (name !== before.displayName || external_id !== before.externalId) {
    const names = { name, name_key: fold(name), external_id };
    const change = db.updateTable("access_groups").set((eb) => ({ ...names, version: eb("version", "+", 1) }));
    await change.where("id", "=", id).execute();
    const subject = { entity: "access group", id, name } as const;
    const changes = { before: { name: before.displayName }, after: { name } };
    await audit(db, { actor, action: "changed", subject, at, ...changes });
  }
  await moveUsers(db, actor, { ids: missingIn(before.members, after.members), to: id, at });
  if (rest.id !== id) await moveUsers(db, actor, { ids: missingIn(after.members, before.members), to: rest.id, at });
}

const missingIn = (ids: Set<number>, all: Set<number>) => [...all].filter((id) => !ids.has(id));

const groupFields = createAccessGroup.body.extend({ external_id: text("externalId", 254) });

/** The form of a group without rights. Throws `invalidValue`, or `uniqueness` if another group has the name. */
async function formOf(db: Db, { company_id }: Actor, { displayName, externalId }: DirectoryGroup, id = 0) {
  const form = checked(groupFields, { name: displayName, external_id: externalId });
  const other = await groupNamed(db, company_id, form.name);
  if (!other || other.id === id) return form;
  throw new ScimError("uniqueness", `There is an access group with the displayName ${form.name} already`);
}

/** Runs a change of groups in a transaction, which must leave the company an administrator. */
const inTransaction = <T>(directory: Directory, work: (within: Within) => Promise<T>): Promise<T> =>
  inCallerTransaction(directory.services, directory.caller, async (db, actor) => {
    const result = await work({ db, actor, directory });
    if (!(await hasAdministrator(db, actor.company_id))) throw conflict(needsAdministrator);
    return result;
  });

export const groups: Kind = {
  name: "Group",

  async list(directory, query) {
    const all = groupRows(directory.db, directory.actor.company_id);
    const { rows, total } = await readPart(all, query, { columns, last: "access_groups.id" });
    return { resources: await asResources(directory, rows), total };
  },

  async find(directory, id) {
    const row = groupRows(directory.db, directory.actor.company_id).where("access_groups.id", "=", id);
    const [resource] = await asResources(directory, await row.execute());
    if (!resource) throw notFound();
    return resource;
  },

  create: (directory, operation) =>
    inTransaction(directory, async ({ db, actor }) => {
      const at = directory.services.now();
      const group: DirectoryGroup = { displayName: "", externalId: "", members: new Set() };
      applyToGroup(group, operation);
      const id = await insertGroup(db, actor, await formOf(db, actor, group), at);
      await moveUsers(db, actor, { ids: [...group.members], to: id, at });
      return id;
    }),

  change: (directory, id, operations) => inTransaction(directory, (within) => store(within, id, operations)),

  remove: (directory, id) =>
    inTransaction(directory, async ({ db, actor }) => {
      const { members } = await stateOf({ db, actor, directory }, id);
      const rest = await groupOfNewUsers({ ...directory, db });
      if (rest.id === id)
        throw conflict("New users come into this access group: make a SCIM token with another one first");
      const at = directory.services.now();
      const ids = [...members];
      while (ids.length > 0) await moveUsers(db, actor, { ids: ids.splice(-bounds.members), to: rest.id, at });
      await deactivateGroup(db, actor, id, at);
    }),
};
