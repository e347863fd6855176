import { type Actor, documentsWithin } from "../access.ts";
import type { Db } from "../db/tables.ts";

/** Documents that were replaced by newer ones. */

/** The document that replaced another and the one that it replaced, as far as a reader may see them. */
export async function replacementsOf(db: Db, actor: Actor, id: number, replacedById: number | null) {
  const readable = (document: number) =>
    db
      .selectFrom("documents")
      .where("documents.id", "=", document)
      .where(documentsWithin(actor, "read"))
      .select(["id", "number", "date"])
      .executeTakeFirst();
  const older = await db.selectFrom("documents").where("replaced_by_id", "=", id).select("id").executeTakeFirst();
  const replaces = older && (await readable(older.id));
  if (replacedById === null) return { ...(replaces && { replaces }) };
  // Everybody with the code learns its number and date.
  const newer = await db
    .selectFrom("documents")
    .where("id", "=", replacedById)
    .select(["number", "date"])
    .executeTakeFirstOrThrow();
  const replaced_by = (await readable(replacedById)) ?? { id: null, ...newer };
  return { replaced_by, ...(replaces && { replaces }) };
}

/** Far more than there are versions of any document. */
const maxVersions = 100;

/** The newest in a document's chain of replacements; undefined if it was not replaced. */
export async function newestVersion(db: Db, replacedById: number | null) {
  let newest;
  // A replacement has the higher id (a check of the table), so this ends.
  for (let [next, count] = [replacedById, 0]; next !== null && count < maxVersions; count++) {
    newest = await db.selectFrom("documents").where("id", "=", next).selectAll().executeTakeFirstOrThrow();
    next = newest.replaced_by_id;
  }
  return newest;
}
