import type { Kysely } from "kysely";
import type { Actor } from "../access.ts";
import { conflict } from "../refused.ts";
import { timeOfDay } from "./company.ts";
import type { Tables } from "./tables.ts";

type Values = Record<string, unknown>;

/** What an entry is about. */
export type Subject = {
  entity: "document" | "company" | "branch" | "user" | "alert" | "access group";
  id: number;
  name: string;
};

/** Notes who changed what from which values to which. Called in the transaction that makes the change. */
export async function audit(
  db: Kysely<Tables>,
  actor: Pick<Actor, "id" | "name" | "company_id">,
  action: string,
  subject: Subject,
  { at, before = {}, after = {} }: { at: Date; before?: Values; after?: Values },
) {
  const changes = Object.keys(after)
    .filter((field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
  await db
    .insertInto("audit")
    .values({
      company_id: actor.company_id,
      at: at.toISOString(),
      actor_id: actor.id,
      actor: actor.name,
      action,
      entity: subject.entity,
      entity_id: subject.id,
      entity_name: subject.name,
      changes: JSON.stringify(changes),
    })
    .execute();
}

/** “NAME changed this at 09:14” (`design.md` section 3): the refusal of a change that builds on an older version. */
export async function staleConflict(
  db: Kysely<Tables>,
  { company_id, timezone }: Pick<Actor, "company_id" | "timezone">,
  entity: Subject["entity"],
  id: number,
) {
  const last = await lastChange(db, company_id, entity, id);
  return conflict(last ? `${last.actor} changed this at ${timeOfDay(timezone, last.at)}` : "Somebody changed this");
}

/** Who changed a record last, and when. */
function lastChange(db: Kysely<Tables>, companyId: number, entity: Subject["entity"], id: number) {
  return db
    .selectFrom("audit")
    .where("company_id", "=", companyId)
    .where("entity", "=", entity)
    .where("entity_id", "=", id)
    .orderBy("id", "desc")
    .select(["actor", "at"])
    .limit(1)
    .executeTakeFirst();
}
