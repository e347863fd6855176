import type { Database } from "#storage/database.ts";
import type { Files } from "#storage/files.ts";
import type { Job } from "#storage/jobs.ts";
import { removeUnreferenced } from "#storage/unreferenced.ts";
import type { DraftTables } from "./tables.ts";

type Stores = { database: Database; files: Files };

/** Jobs for drafts; `abandonedMs` returns how old a file without a record must be to be removed. */
export const draftJobs = (stores: Stores, abandonedMs: () => number): Job[] => [
  {
    name: "drafts",
    due: "0 3 * * *",
    atStart: true,
    run: () => sweepDrafts(stores, abandonedMs()),
  },
];

/** Removes expired drafts and interrupted forms, and files older than `ageMs` that no draft has or that were not sent on. */
async function sweepDrafts({ database, files }: Stores, ageMs: number) {
  const db = database.tables<DraftTables>();
  const at = new Date().toISOString();
  await db.deleteFrom("interrupted_forms").where("expires_at", "<=", at).execute();
  const expired = db.deleteFrom("drafts").where("expires_at", "<=", at);
  for (const { id } of await expired.returning("id").execute()) await files.removeAll(`drafts/${id}`);
  for (const id of await files.list("drafts")) {
    const draftFiles = await db.selectFrom("draft_files").where("draft_id", "=", id).select("key").execute();
    const uploads = draftFiles.map(({ key }) => key.split("/", 3).join("/"));
    await removeUnreferenced(files, `drafts/${id}`, { ageMs, referenced: async () => uploads });
    if (uploads.length === 0 && (await files.list(`drafts/${id}`)).length === 0) await files.removeAll(`drafts/${id}`);
  }
  await removeUnreferenced(files, "uploads", { ageMs, referenced: async () => [] });
}
