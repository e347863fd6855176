import type { Kysely } from "kysely";
import type { Actor } from "../access.ts";
import type { Tables } from "./tables.ts";

type Values = Record<string, unknown>;

/** What an entry is about. */
export type Subject = { entity: "document" | "company" | "user"; id: number; name: string };

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

/** Who changed a record last, and when. */
export function lastChange(db: Kysely<Tables>, companyId: number, entity: Subject["entity"], id: number) {
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
