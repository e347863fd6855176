import type { Database } from "#storage/database.ts";
import type { Files } from "#storage/files.ts";
import type { Job } from "#storage/jobs.ts";
import type { DraftTables } from "./tables.ts";

type Stores = { database: Database; files: Files };

/** Jobs for drafts, run with any provider. */
export const draftJobs = (stores: Stores, abandonedAge: () => number): Job[] => [
  {
    name: "drafts",
    due: "0 3 * * *",
    atStart: true,
    run: () => sweepDrafts(stores, abandonedAge()),
  },
];

/**
 * Removes expired drafts and interrupted forms, and files that nothing refers to: of aborted uploads, and pictures that
 * were not sent to the provider. Files younger than `minAgeMs` may still be arriving.
 */
async function sweepDrafts({ database, files }: Stores, minAgeMs: number) {
  const db = database.tables<DraftTables>();
  const at = new Date().toISOString();
  await db.deleteFrom("interrupted_forms").where("expires_at", "<=", at).execute();
  const expired = db.deleteFrom("drafts").where("expires_at", "<=", at);
  for (const { id } of await expired.returning("id").execute()) await files.removeAll(`drafts/${id}`);
  for (const id of await files.list("drafts")) {
    const referenced = await db.selectFrom("draft_files").where("draft_id", "=", id).select("key").execute();
    for (const name of await files.list(`drafts/${id}`)) {
      const upload = `drafts/${id}/${name}`;
      const isReferenced = referenced.some(({ key }) => key.startsWith(`${upload}/`));
      if (!isReferenced && (await files.changedAt(upload)) <= Date.now() - minAgeMs) await files.removeAll(upload);
    }
    if (referenced.length === 0 && (await files.list(`drafts/${id}`)).length === 0)
      await files.removeAll(`drafts/${id}`);
  }
  for (const name of await files.list("uploads")) {
    const upload = `uploads/${name}`;
    if ((await files.changedAt(upload)) <= Date.now() - minAgeMs) await files.removeAll(upload);
  }
}
