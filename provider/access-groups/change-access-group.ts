import type { z } from "zod";
import { isUniqueViolation } from "#lib/storage/database/dialect.ts";
import { fold } from "#lib/text.ts";
import { type Actor, areasBeyond, type Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { createAccessGroup, updateAccessGroup } from "../contract/access-groups.ts";
import { type Area, areaNames, areas } from "../contract/areas.ts";
import { groupRows, hasAdministrator } from "./access-group-queries.ts";
import { audit, deactivated, staleConflict } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { conflict, invalid, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Adding, changing and removing access groups. Each is one transaction with its entry in the audit trail. */

type NewAccessGroup = z.output<typeof createAccessGroup.body>;
type AccessGroupChange = z.output<typeof updateAccessGroup.body>;

/** Adds a group and returns its id. */
export async function addGroup(services: Services, caller: Caller, group: NewAccessGroup): Promise<number> {
  return inCallerTransaction(services, caller, (transaction, actor) =>
    insertGroup(transaction, actor, group, services.now()),
  ).catch(rethrowNameTaken);
}

/** The same within a transaction. */
export async function insertGroup(
  db: Db,
  actor: Actor,
  { external_id = "", ...group }: NewAccessGroup & { external_id?: string },
  at: Date,
): Promise<number> {
  requireAssignable(actor, group);
  const row = { ...groupColumns(group), external_id, company_id: actor.company_id, version: 1 };
  const { id } = await db.insertInto("access_groups").values(row).returning("id").executeTakeFirstOrThrow();
  const after = { ...group, requires_second_factor: group.requires_second_factor || undefined };
  await audit(db, { actor, action: "added", subject: subject(id, group.name), at, after });
  return id;
}

/** Changes a group; its members' next call follows the new rights. */
export async function changeGroup(services: Services, caller: Caller, id: number, change: AccessGroupChange) {
  const { now } = services;
  const { version, ...group } = change;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    requireAssignable(actor, group);
    const before = await findGroup(transaction, actor, id);
    if (version !== undefined && version !== before.version) {
      throw await staleConflict(transaction, actor, "access group", id);
    }
    const isRequired = before.requires_second_factor === 1;
    const row = { ...groupColumns(group), version: before.version + 1 };
    await transaction.updateTable("access_groups").set(row).where("id", "=", id).execute();
    if (!(await hasAdministrator(transaction, actor.company_id))) {
      throw invalid({
        roles:
          "At least one administrator must remain: leave Write ticked, or make a member of another access group one",
      });
    }
    await audit(transaction, {
      actor,
      action: "changed",
      subject: subject(id, group.name),
      at: now(),
      before: { ...before, requires_second_factor: isRequired },
      after: { ...group, requires_second_factor: group.requires_second_factor ?? isRequired },
    });
  }).catch(rethrowNameTaken);
}

/** Deactivates a group without members and documents. Removed users still name it. */
export async function removeGroup(services: Services, caller: Caller, id: number) {
  const { now } = services;
  await inCallerTransaction(services, caller, (transaction, actor) => deactivateGroup(transaction, actor, id, now()));
}

/** The same within a transaction. Throws 404 or 409. */
export async function deactivateGroup(db: Db, actor: Actor, id: number, at: Date) {
  const before = await findGroup(db, actor, id);
  const blockers = await removalBlockers(db, actor, before);
  if (blockers) throw conflict(`${blockers}: move them to another access group first`);
  const row = { active: 0, external_id: "", version: before.version + 1 };
  await db.updateTable("access_groups").set(row).where("id", "=", id).execute();
  await audit(db, { actor, action: "removed", subject: subject(id, before.name), at, ...deactivated });
}

/** A group of the actor's company with the count of its members. Throws 404. */
export async function findGroup(db: Db, actor: Actor, id: number) {
  const group = await groupRows(db, actor).where("access_groups.id", "=", id).executeTakeFirst();
  if (!group) throw notFound();
  return group;
}

/** Reasons against removing a group, in words. Archived documents count too, as they can be restored. */
async function removalBlockers(db: Db, actor: Actor, { id, members }: { id: number; members: number | null }) {
  const { documents, archived } = await db
    .selectFrom("documents")
    .where("company_id", "=", actor.company_id)
    .where("access_group_id", "=", id)
    .select((eb) => eb.fn.countAll<number>().as("documents"))
    .select((eb) => eb.fn.countAll<number>().filterWhere("status", "=", "archived").as("archived"))
    .executeTakeFirstOrThrow();
  const parts = [
    ...(members ? [counted(members, "user is in this access group", "users are in this access group")] : []),
    ...(documents ? [counted(documents, "document names it", "documents name it")] : []),
  ];
  const inArchive = archived ? ` (${archived} in the archive)` : "";
  return parts.length > 0 && parts.join(" and ") + inArchive;
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

function requireAssignable(actor: Actor, group: NewAccessGroup) {
  const refused = areasBeyond(actor, group);
  if (refused.length === 0) return;
  const refusal = (area: Area) => `${areaNames[area]}: give no more than your own access group may do`;
  throw invalid(Object.fromEntries(refused.map((area) => [area, refusal(area)])));
}

/** Named one by one, so that no other field of a form is stored. */
const groupColumns = (group: NewAccessGroup) => ({
  name: group.name,
  name_key: fold(group.name),
  ...(group.identity_groups !== undefined && { identity_groups: group.identity_groups }),
  ...(Object.fromEntries(areas.map((area) => [area, group[area]])) as Pick<NewAccessGroup, (typeof areas)[number]>),
  ...(group.requires_second_factor !== undefined && { requires_second_factor: group.requires_second_factor ? 1 : 0 }),
});

const subject = (id: number, name: string) => ({ entity: "access group", id, name }) as const;

function rethrowNameTaken(error: unknown): never {
  if (isUniqueViolation(error))
    throw invalid({ name: "There is already an access group with this name: enter another" });
  throw error;
}
