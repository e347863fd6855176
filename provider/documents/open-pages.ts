import type { Selectable } from "kysely";
import { PageWorkBusy, PageWorkFailed } from "#lib/page-files/refusals.ts";
import { storageFailureOf } from "#lib/storage/database/failures.ts";
import { takeTurnsByCompany } from "../company/take-turns.ts";
import { openToAll } from "../contract/document-options.ts";
import { pageFilesOf } from "./document-queries.ts";
import type { Db, Tables } from "../db/tables.ts";
import { companyRequester } from "../files/requesters.ts";
import { drawnPage } from "../files/derived-files.ts";
import type { Services } from "../services.ts";

/** Draws the pages of documents that are open to all in advance, so that visitors need not wait. */

/** Later pages are drawn on request. */
const maxPages = 500;
/** Pages of one document before other companies have their turn. */
const pagesPerTurn = 10;

/** Queues a document's pages for the job. `db` is the transaction that opens the document to all. */
export async function queueDrawing(db: Db, document: { id: number; company_id: number }) {
  const row = { document_id: document.id, company_id: document.company_id };
  await db
    .insertInto("pages_to_draw")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether pages of a document are still queued. */
export const isBeingDrawn = async (db: Db, documentId: number): Promise<boolean> =>
  (await db.selectFrom("pages_to_draw").where("document_id", "=", documentId).select("done").executeTakeFirst()) !==
  undefined;

/** Draws queued pages, companies in turn, until page work is too busy. */
export const drawOpenPages = (services: Services, signal: AbortSignal) =>
  takeTurnsByCompany({
    signal,
    next: () => firstOfEachCompany(services.db),
    work: (queued) => drawSome(services, queued, signal),
  });

const firstOfEachCompany = (db: Db) =>
  db
    .selectFrom("pages_to_draw")
    .where(({ eb, selectFrom }) =>
      eb(
        "document_id",
        "in",
        selectFrom("pages_to_draw as first")
          .select(({ fn }) => fn.min("first.document_id").as("id"))
          .groupBy("first.company_id"),
      ),
    )
    .selectAll()
    .execute();

type QueuedDrawing = Selectable<Tables["pages_to_draw"]>;

/** Draws some pages of a document. Returns false if page work is too busy. */
async function drawSome(services: Services, { document_id, done }: QueuedDrawing, signal: AbortSignal) {
  const { db, log } = services;
  const document = await db.selectFrom("documents").where("id", "=", document_id).selectAll().executeTakeFirstOrThrow();
  const pages = document.access_type === openToAll ? await pagesOf(db, document_id) : [];
  const next = pages.slice(done, done + pagesPerTurn);
  try {
    for (const page of next) await drawOne(services, document, page, signal);
  } catch (err) {
    if (err instanceof PageWorkBusy || signal.aborted) return false;
    if (storageFailureOf(err)) throw err;
    log.error({ err, document: document_id }, "open pages could not be drawn in advance");
    next.length = 0;
  }
  const rest = pages.length - done - next.length;
  const row = db.updateTable("pages_to_draw").where("document_id", "=", document_id);
  if (next.length > 0 && rest > 0) await row.set({ done: done + next.length }).execute();
  else await db.deleteFrom("pages_to_draw").where("document_id", "=", document_id).execute();
  return true;
}

async function pagesOf(db: Db, documentId: number) {
  const files = await pageFilesOf(db, documentId);
  const pages = files.flatMap((file) => Array.from({ length: file.pages }, (_, n) => ({ file, page: n + 1 })));
  return pages.slice(0, maxPages);
}

type QueuedDocument = Selectable<Tables["documents"]>;
type OpenPage = Awaited<ReturnType<typeof pagesOf>>[number];

async function drawOne(services: Services, document: QueuedDocument, page: OpenPage, signal: AbortSignal) {
  const { company_id, folder } = document;
  try {
    await drawnPage(services, companyRequester(company_id, "background", signal), { folder, ...page, size: "large" });
  } catch (error) {
    // The failure is stored, so that visitors see it at once.
    if (!(error instanceof PageWorkFailed)) throw error;
  }
}
