import type { Database } from "#lib/storage/database/database.ts";
import type { Files } from "#lib/storage/files/files.ts";
import type { DescribedJob } from "#lib/storage/jobs.ts";
import { removeUnreferenced } from "#lib/storage/files/unreferenced.ts";
import type { DraftTables } from "./tables.ts";

type Stores = { database: Database; files: Files };

/** `abandonedMs` returns how old a file without a record must be to be removed. */
export const draftJobs = (stores: Stores, abandonedMs: () => number): DescribedJob[] => [
  {
    name: "drafts",
    summary: "deletes drafts after 7 days, and what interrupted uploads and forms left",
    due: "0 3 * * *",
    atStart: true,
    run: () => sweepDrafts(stores, abandonedMs()),
  },
];

async function sweepDrafts({ database, files }: Stores, ageMs: number) {
  const db = database.tables<DraftTables>();
  const at = new Date().toISOString();
  const before = Date.now() - ageMs;
  await db.deleteFrom("interrupted_forms").where("expires_at", "<=", at).execute();
  const expired = db.deleteFrom("drafts").where("expires_at", "<=", at);
  for (const { id } of await expired.returning("id").execute()) await files.removeAll(`drafts/${id}`);
  for await (const id of files.list("drafts")) {
    const draftFiles = await db.selectFrom("draft_files").where("draft_id", "=", id).select("key").execute();
    const uploads = draftFiles.map(({ key }) => key.split("/", 3).join("/"));
    await removeUnreferenced(files, `drafts/${id}`, { before, referenced: async () => uploads });
    if (uploads.length === 0 && (await isEmpty(files, `drafts/${id}`))) await files.removeAll(`drafts/${id}`);
  }
  await removeUnreferenced(files, "uploads", { before, referenced: async () => [] });
}

async function isEmpty(files: Files, prefix: string): Promise<boolean> {
  for await (const _ of files.list(prefix)) return false;
  return true;
}
