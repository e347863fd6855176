import type { Wanted } from "#lib/page-files/reading/labels.ts";
import type { Reading } from "#lib/page-files/reading/read-fields.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { PageWorkBusy } from "#lib/page-files/refusals.ts";
import { storageFailureOf } from "#lib/storage/database/failures.ts";
import { isDegraded } from "../process/readiness.ts";
import { resources } from "../process/resources.ts";
import { type Draft, draftDb } from "./store.ts";
import type { DraftTables } from "./tables.ts";

/** Of a draft with more files, the others are rarely its text. */
const filesRead = 3;

type Stored = { wanted: Wanted; readings: Reading[] };

/**
 * What a draft's pages say of its fields, with pages counted through all its files. With `read` files are read that were
 * not yet read for the same fields; a file that can't be read now has no readings.
 */
export async function readingsOf(draft: Draft, read?: { wanted: Wanted; requester: Requester }): Promise<Reading[]> {
  const files = await draftDb()
    .selectFrom("draft_files")
    .where("draft_id", "=", draft.id)
    .orderBy("n")
    .limit(filesRead)
    .select(["key", "type", "pages", "readings"])
    .execute();
  const readings: Reading[] = [];
  let pagesBefore = 0;
  for (const { readings: json, pages, ...file } of files) {
    const stored = json ? (JSON.parse(json) as Stored) : undefined;
    const isCurrent = !read || JSON.stringify(stored?.wanted) === JSON.stringify(read.wanted);
    const ofFile = (isCurrent ? stored?.readings : await readFile(file, read)) ?? [];
    // The first file that states a field counts.
    const others = ofFile.filter(({ field }) => !readings.some((reading) => reading.field === field));
    readings.push(...others.map((reading) => ({ ...reading, page: pagesBefore + reading.page })));
    pagesBefore += pages;
  }
  return readings;
}

type File = Pick<DraftTables["draft_files"], "key" | "type">;

async function readFile({ key, type }: File, { wanted, requester }: { wanted: Wanted; requester: Requester }) {
  const { files, pageFiles } = resources();
  // An attempt may take until it times out.
  if (isDegraded("storage")) return undefined;
  try {
    const readings = await pageFiles.work(requester, (jobs) =>
      files.withLocalPaths([key], ([path]) => jobs.readPages({ path: path!, type, wanted })),
    );
    const stored: Stored = { wanted, readings };
    const update = draftDb()
      .updateTable("draft_files")
      .set({ readings: JSON.stringify(stored) });
    await update.where("key", "=", key).execute();
    return readings;
  } catch (error) {
    if (error instanceof PageWorkBusy || storageFailureOf(error)) return undefined;
    throw error;
  }
}
