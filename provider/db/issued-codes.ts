import { validityOf } from "../scans/validity.ts";
import type { Db } from "./tables.ts";

/** A code of a document or of one of its copies, and whether that is no longer in force. */
export type IssuedCode = { code: string; isEnded: boolean };

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

/** All codes of a company in lots, as they are on a day of it. */
export async function* codesInLots(db: Db, companyId: number, today: string): AsyncGenerator<IssuedCode[]> {
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
    const ended = new Set(documents.filter((one) => validityOf(one, today) !== "in force").map(({ id }) => id));
    yield documents
      .filter(({ copies }) => copies === 1)
      .map(({ id, code }): IssuedCode => ({ code, isEnded: ended.has(id) }));
    const several = documents.filter(({ copies }) => copies > 1).map(({ id }) => id);
    for (const id of several) {
      const copies = db.selectFrom("document_copies").where("document_id", "=", id);
      yield (await copies.select(["code", "withdrawn_at"]).execute()).map(({ code, withdrawn_at }): IssuedCode => ({
        code,
        isEnded: ended.has(id) || withdrawn_at !== null,
      }));
    }
    after = documents.at(-1)!.id;
  }
}
