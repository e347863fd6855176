import { entry, type Entry } from "#seal/status-list.ts";
import { type Dated, validityOf } from "../scans/validity.ts";
import type { Db } from "./tables.ts";

/** A code of a document or of one of its copies, and what a status list says of it. */
export type IssuedCode = { code: string; says: Entry };

/** The company's days on which a status list is made and on which it expires. */
type ListDays = { made: string; expires: string };

/** What a list says of a document. One that expires before the list does has to be asked about: lists are saved. */
function entryOf(document: Dated, { made, expires }: ListDays): Entry {
  if (validityOf(document, made) !== "in force") return entry.ended;
  return validityOf(document, expires) === "in force" ? entry.inForce : entry.askOnline;
}

const lotRows = 1000;

/** How many codes a company has issued. */
export async function countCodes(db: Db, companyId: number): Promise<number> {
  const { codes } = await db
    .selectFrom("documents")
    .where("company_id", "=", companyId)
    .select(({ fn }) => fn.sum<number | string | null>("copies").as("codes"))
    .executeTakeFirstOrThrow();
  return Number(codes);
}

/** All codes of a company in lots. */
export async function* codesInLots(db: Db, companyId: number, days: ListDays): AsyncGenerator<IssuedCode[]> {
  for (let after = 0; ;) {
    const documents = await db
      .selectFrom("documents")
      .where("company_id", "=", companyId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(lotRows)
      .select(["id", "code", "copies", "status", "status_before_archive", "expire_date"])
      .execute();
    if (documents.length === 0) return;
    const entries = new Map(documents.map((one) => [one.id, entryOf(one, days)]));
    yield documents
      .filter(({ copies }) => copies === 1)
      .map(({ id, code }): IssuedCode => ({ code, says: entries.get(id)! }));
    const several = documents.filter(({ copies }) => copies > 1).map(({ id }) => id);
    for (const id of several) {
      const copies = db.selectFrom("document_copies").where("document_id", "=", id);
      yield (await copies.select(["code", "withdrawn_at"]).execute()).map(({ code, withdrawn_at }): IssuedCode => ({
        code,
        says: withdrawn_at === null ? entries.get(id)! : entry.ended,
      }));
    }
    after = documents.at(-1)!.id;
  }
}
