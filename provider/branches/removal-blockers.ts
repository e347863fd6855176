import type { Kysely } from "kysely";
import { type Actor, documentsWithin, usersWithin } from "../access.ts";
import { listOrArchive } from "../documents/list/indexes.ts";
import { TRUE } from "../db/flags.ts";
import type { Tables } from "../db/tables.ts";

/** Users and documents that are named; the rest is counted. */
const maxListed = 3;

/**
 * What keeps a branch from being removed, in sentences that say what to do. Empty if nothing does. Users and documents
 * that the actor may not see are only counted.
 */
export async function removalBlockers(db: Kysely<Tables>, actor: Actor, branchId: number): Promise<string> {
  const users = db
    .selectFrom("users")
    .where("users.company_id", "=", actor.company_id)
    .where("users.branch_id", "=", branchId)
    .where("users.active", "=", TRUE);
  const documents = db
    .selectFrom("documents")
    .where("documents.company_id", "=", actor.company_id)
    .where("documents.branch_id", "=", branchId)
    .where(listOrArchive.list);
  const { userCount } = await users.select((eb) => eb.fn.countAll<number>().as("userCount")).executeTakeFirstOrThrow();
  const { documentCount } = await documents
    .select((eb) => eb.fn.countAll<number>().as("documentCount"))
    .executeTakeFirstOrThrow();
  const names = await users
    .where(usersWithin(actor, "users", "read"))
    .orderBy("name_key")
    .select("users.name as label")
    .limit(maxListed)
    .execute();
  const numbers = await documents
    .where(documentsWithin(actor, "read"))
    .orderBy("date", "desc")
    .orderBy("documents.id")
    .select("documents.number as label")
    .limit(maxListed)
    .execute();
  return [
    userCount > 0 && `Move its ${listed("user", userCount, names)} first.`,
    documentCount > 0 && `Archive its ${listed("document", documentCount, numbers)} first.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** `2 users (Ada, Bea)`, `12 documents (NM-1, NM-2, NM-3 and 9 more)`, `1 user`. */
function listed(what: string, total: number, examples: { label: string }[]) {
  const counted = `${total} ${what}${total === 1 ? "" : "s"}`;
  if (examples.length === 0) return counted;
  const more = total > examples.length ? ` and ${total - examples.length} more` : "";
  return `${counted} (${examples.map(({ label }) => label).join(", ")}${more})`;
}
