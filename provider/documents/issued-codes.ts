import { entry, type Entry } from "#lib/seal/status-list.ts";
import { inBatches } from "../files/referenced-files.ts";
import { type Dated, validityOf } from "../scans/validity.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";

/** A code of a document or of one of its copies, and what a status list says of it. */
export type IssuedCode = { code: string; says: Entry };

/** The company's days on which a status list is made and on which it expires. */
type ListDays = { issued: string; expires: string };

/** A document's status in a list. A document that expires before the list needs a check online, as lists are saved. */
function entryOf(document: Dated, { issued, expires }: ListDays): Entry {
  if (validityOf(document, issued) !== "in force") return entry.ended;
  return validityOf(document, expires) === "in force" ? entry.inForce : entry.askOnline;
}

/** Documents, each with up to a hundred copies. */
const batchSize = 250;

/** All codes of a company in batches. */
export async function* issuedCodes(db: Db, companyId: number, days: ListDays): AsyncGenerator<IssuedCode[]> {
  const documents = db.selectFrom("documents").where("company_id", "=", companyId).orderBy("id").limit(batchSize);
  const query = documents.select(["id", "code", "copies", "status", "status_before_archive", "expire_date"]);
  for await (const batch of inBatches((after) => query.where("id", ">", after).execute())) {
    const entries = new Map(batch.map((document) => [document.id, entryOf(document, days)]));
    const single = batch.filter(({ copies }) => copies === 1);
    const several = batch.filter(({ copies }) => copies > 1);
    yield single.map(({ id, code }) => ({ code, says: entries.get(id)! }));
    yield (await copiesOf(db, several)).map(({ document_id, code, withdrawn_at }) => ({
      code,
      says: withdrawn_at === null ? entries.get(document_id)! : entry.ended,
    }));
  }
}

async function copiesOf(db: Db, documents: { id: number }[]) {
  if (documents.length === 0) return [];
  const ids = documents.map(({ id }) => id);
  const copies = db.selectFrom("document_copies").where(isAmong(db, "document_id", ids));
  return copies.select(["document_id", "code", "withdrawn_at"]).execute();
}
