import { PageWorkBusy, PageWorkFailed } from "#lib/page-files/refusals.ts";
import { OperatorKeyFailed } from "#lib/seal/operator-key.ts";
import { storageFailureOf } from "#lib/storage/database/failures.ts";
import { takeTurnsByCompany } from "../company/take-turns.ts";
import { hoursInMs } from "#lib/units.ts";
import type { Db } from "../db/tables.ts";
import { pageFilesOf } from "../documents/document-queries.ts";
import { sealedKey } from "../files/derived-files.ts";
import { companyRequester } from "../files/requesters.ts";
import type { Services } from "../services.ts";
import { sealCopies, sealedFilesOf } from "./sealed-files.ts";
import { RootKeyRemoved, SealKeysLocked } from "./keys/stored-keys.ts";

/** Seals documents soon after they were issued, so that no request waits for it. */

/** Queues documents of a company for the job. For a new one `db` is the transaction that issues it. */
export async function queueSealing(db: Db, company_id: number, ids: number[]) {
  if (ids.length === 0) return;
  const rows = ids.map((document_id) => ({ document_id, company_id }));
  await db
    .insertInto("documents_to_seal")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Seals queued documents, companies in turn, until page work is too busy. Those whose company can't get a key now stay queued. */
export async function sealQueued(services: Services, signal: AbortSignal) {
  const waiting = new Set<number>();
  await takeTurnsByCompany({
    signal,
    next: () => newestOfEachCompany(services.db),
    async work({ document_id, company_id }) {
      if (waiting.has(company_id)) return false;
      try {
        return await sealNext(services, document_id, signal);
      } catch (error) {
        if (!(error instanceof RootKeyRemoved)) throw error;
        waiting.add(company_id);
        services.log.error({ company: company_id, reason: error.message }, error.event);
        return false;
      }
    },
  });
}

/** The newest, because a document that was just issued is downloaded sooner than one that has waited for long. */
const newestOfEachCompany = (db: Db) =>
  db
    .selectFrom("documents_to_seal")
    .where("document_id", "in", (eb) =>
      eb.selectFrom("companies").select(({ selectFrom }) =>
        selectFrom("documents_to_seal as newest")
          .whereRef("newest.company_id", "=", "companies.id")
          .select(({ fn }) => fn.max("newest.document_id").as("id"))
          .as("id"),
      ),
    )
    .select(["document_id", "company_id"])
    .execute();

/** Seals a document, all its copies, and takes it off the queue. Returns false if page work is too busy. */
async function sealNext(services: Services, id: number, signal: AbortSignal) {
  const { db, files, log } = services;
  const document = await db.selectFrom("documents").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  try {
    const pageFiles = await pageFilesOf(db, id);
    await files.ensureSpace(document.copies * pageFiles.reduce((sum, { bytes }) => sum + bytes, 0));
    await sealCopies(services, companyRequester(document.company_id, "background", signal), document);
    await removeUnrecorded(services, document);
  } catch (err) {
    if (err instanceof PageWorkBusy || signal.aborted) return false;
    if (storageFailureOf(err) || err instanceof SealKeysLocked || err instanceof OperatorKeyFailed) throw err;
    // The failure is stored, so that a reader sees it at once.
    if (!(err instanceof PageWorkFailed)) log.error({ err, document: id }, "document could not be sealed in advance");
  }
  await db.deleteFrom("documents_to_seal").where("document_id", "=", id).execute();
  return true;
}

/** A younger file may be about to get its row. */
const unrecordedMs = hoursInMs(1);

/** Removes sealed PDFs without a record: those from before they were stored, and a crash's leftovers. */
async function removeUnrecorded({ db, files }: Services, { id, folder }: { id: number; folder: string }) {
  const recorded = (await sealedFilesOf(db, id)).map(({ sha256 }) => sealedKey(folder, sha256));
  for await (const name of files.list(folder)) {
    const key = `${folder}/${name}`;
    if (!/^sealed-.*\.pdf$/.test(name) || recorded.includes(key)) continue;
    if ((await files.changedAt(key)) < Date.now() - unrecordedMs) await files.remove(key);
  }
}
