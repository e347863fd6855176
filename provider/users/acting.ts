import type { Kysely } from "kysely";
import { type Actor, isAdministrator, mayActAs, mayGive } from "../access.ts";
import type { Tables } from "../db/tables.ts";

/** Where somebody stands: what they may do follows from it. */
export type Standing = { branch_id: number | null; access_group_id: number };

/** Whether acting as somebody who stands there brings the actor nothing that they can't do themselves. */
export async function covers(db: Kysely<Tables>, actor: Actor, { branch_id, access_group_id }: Standing) {
  if (isAdministrator(actor)) return true;
  const group = await groupOf(db, access_group_id);
  const naming = db.selectFrom("documents").where("company_id", "=", actor.company_id).select("id").limit(1);
  const isNamed = await naming.where("access_group_id", "=", access_group_id).executeTakeFirst();
  return mayActAs(actor, { branch_id, access_group_id, permissions: group, seesNamed: isNamed !== undefined });
}

/** Whether somebody's group is one that the actor may give and take. */
export const outranks = async (db: Kysely<Tables>, actor: Actor, { access_group_id }: Standing) =>
  mayGive(actor, await groupOf(db, access_group_id));

const groupOf = (db: Kysely<Tables>, id: number) =>
  db.selectFrom("access_groups").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
