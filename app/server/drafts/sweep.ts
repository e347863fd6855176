import type { Database } from "#storage/database.ts";
import type { Files } from "#storage/files.ts";
import type { Job } from "#storage/jobs.ts";
import type { DraftTables } from "./tables.ts";

type Stores = { database: Database; files: Files };

/** What is done for drafts, whichever provider there is. */
export const draftJobs = (stores: Stores, abandonedMs: () => number): Job[] => [
  {
    name: "drafts",
    due: "0 3 * * *",
    atStart: true,
    run: () => sweepDrafts(stores, abandonedMs()),
  },
];

/**
 * Removes drafts and interrupted forms that have expired, page files that no draft has, of uploads that were cut off,
 * and pictures that were not sent on. Of files only what is older than `ageMs`, as younger ones may still be
 * arriving.
 */
async function sweepDrafts({ database, files }: Stores, ageMs: number) {
  const db = database.tables<DraftTables>();
  const at = new Date().toISOString();
  await db.deleteFrom("interrupted_forms").where("expires_at", "<=", at).execute();
  const expired = db.deleteFrom("drafts").where("expires_at", "<=", at);
  for (const { id } of await expired.returning("id").execute()) await files.removeAll(`drafts/${id}`);
  for (const id of await files.list("drafts")) {
    const kept = await db.selectFrom("draft_files").where("draft_id", "=", id).select("key").execute();
    for (const name of await files.list(`drafts/${id}`)) {
      const upload = `drafts/${id}/${name}`;
      const isKept = kept.some(({ key }) => key.startsWith(`${upload}/`));
      if (!isKept && (await files.changedAt(upload)) <= Date.now() - ageMs) await files.removeAll(upload);
    }
    if (kept.length === 0 && (await files.list(`drafts/${id}`)).length === 0) await files.removeAll(`drafts/${id}`);
  }
  for (const name of await files.list("uploads")) {
    const upload = `uploads/${name}`;
    if ((await files.changedAt(upload)) <= Date.now() - ageMs) await files.removeAll(upload);
  }
}
