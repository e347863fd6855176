import type { Kysely } from "kysely";
import type { DraftTables } from "./tables.ts";

/** A user's drafts that are neither issued nor expired. */
export const unfinishedDrafts = (db: Kysely<DraftTables>, userId: number) =>
  db
    .selectFrom("drafts")
    .where("user_id", "=", userId)
    .where("issued_at", "is", null)
    .where("expires_at", ">", new Date().toISOString());

/** Whether a user has unfinished drafts. `db` has both the drafts' and the provider's tables. */
export async function hasDrafts<Tables>(db: Kysely<Tables>, userId: number): Promise<boolean> {
  const drafts = unfinishedDrafts(db as unknown as Kysely<DraftTables>, userId);
  return (await drafts.select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Bytes of all drafts' page files, without page images. */
export async function bytesOfDrafts(db: Kysely<DraftTables>): Promise<number> {
  const files = db
    .selectFrom("draft_files")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("bytes"), eb.lit(0)).as("bytes"));
  return (await files.executeTakeFirstOrThrow()).bytes;
}

/** Removes all of a user's drafts, issued ones too, and returns their folders in the store. */
export async function removeDrafts<Tables>(db: Kysely<Tables>, userId: number): Promise<string[]> {
  const drafts = db as unknown as Kysely<DraftTables>;
  const ofUser = drafts.selectFrom("drafts").where("user_id", "=", userId).select("id");
  await drafts.deleteFrom("draft_files").where("draft_id", "in", ofUser).execute();
  const removed = await drafts.deleteFrom("drafts").where("user_id", "=", userId).returning("id").execute();
  return removed.map(({ id }) => `drafts/${id}`);
}
