import type { Kysely } from "kysely";
import { type Actor, isAdministrator } from "../access.ts";
import { everyone } from "../contract/document-options.ts";
import type { AuditEntry } from "../contract/audit.ts";
import type { Tables } from "../db/tables.ts";

/**
 * The id of the last audit entry by which a document left an access group that is not the actor's. They could not read it
 * until then, so its history begins after that entry. 0 for its owner and administrators, and if there is none.
 */
export async function lastRestrictedEntry(db: Kysely<Tables>, actor: Actor, documentId: number): Promise<number> {
  if (isAdministrator(actor)) return 0;
  const { owner_id, group } = await db
    .selectFrom("documents")
    .innerJoin("access_groups", (join) => join.on("access_groups.id", "=", actor.access_group_id))
    .where("documents.id", "=", documentId)
    .select(["documents.owner_id", "access_groups.name as group"])
    .executeTakeFirstOrThrow();
  if (owner_id === actor.id) return 0;
  const regrouped = await db
    .selectFrom("audit")
    .where("company_id", "=", actor.company_id)
    .where("entity", "=", "document")
    .where("entity_id", "=", documentId)
    .where("action", "=", "changed")
    .where("changes", "like", '%"users_access_group"%')
    .orderBy("id", "desc")
    .select(["id", "changes"])
    .execute();
  const open: unknown[] = [everyone, group];
  const isClosed = ({ field, before }: AuditEntry["changes"][number]) =>
    field === "users_access_group" && !open.includes(before);
  return regrouped.find(({ changes }) => (JSON.parse(changes) as AuditEntry["changes"]).some(isClosed))?.id ?? 0;
}
