import type { Kysely } from "kysely";
import { type Actor, isAdministrator, mayImpersonate, mayAssignGroup, ownedOutOfScope } from "../access.ts";
import { listOrArchive } from "../db/document-list/indexes.ts";
import type { Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";

/** Where a user stands, or would: what they may do follows from it. Without an id they are new and own nothing. */
export type Placement = { id?: number; branch_id: number | null; access_group_id: number };

type Db = Kysely<Tables>;
type Drafts = Pick<Services, "hasDrafts">;

/** Whether signing in as a user who stands there shows and allows nothing that the actor can't see and do themselves. */
export async function mayImpersonateAt({ hasDrafts }: Drafts, db: Db, actor: Actor, user: Placement): Promise<boolean> {
  if (isAdministrator(actor)) return true;
  const { id, branch_id, access_group_id } = user;
  const permissions = await groupOf(db, access_group_id);
  const naming = db.selectFrom("documents").where("company_id", "=", actor.company_id).select("id").limit(1);
  const isNamed = await naming.where("access_group_id", "=", access_group_id).executeTakeFirst();
  const ownsOutOfScope =
    id !== undefined &&
    ((await ownsDocumentsOutOfScope(db, actor, { id, permissions })) || (await hasDrafts?.(db, id)) === true);
  return mayImpersonate(actor, {
    branch_id,
    access_group_id,
    permissions,
    seesRestricted: isNamed !== undefined,
    ownsOutOfScope,
  });
}

async function ownsDocumentsOutOfScope(db: Db, actor: Actor, owner: Pick<Actor, "id" | "permissions">) {
  // The list and the archive have an index by owner each.
  for (const side of Object.values(listOrArchive)) {
    const documents = db.selectFrom("documents").where(side).where(ownedOutOfScope(actor, owner));
    if (await documents.select("documents.id").limit(1).executeTakeFirst()) return true;
  }
  return false;
}

/** Whether somebody's group is one that the actor may give and take. */
export const mayReassign = async (db: Db, actor: Actor, { access_group_id }: Placement) =>
  mayAssignGroup(actor, await groupOf(db, access_group_id));

const groupOf = (db: Db, id: number) =>
  db.selectFrom("access_groups").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
