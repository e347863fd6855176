import { verifyUrl } from "../db/documents.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { findSealed, type SealableDocument } from "./sealed-files.ts";
import { recordSigned, type SignedStatement, signStatement, statementHash, statementOf } from "./signed-codes.ts";
import { companySigner } from "./signer.ts";

/**
 * The address for a QR code of a document: signed once its sealed PDF exists, the same as long as record and key are. Throws
 * `SealKeysLocked`.
 */
export async function signedAddress(services: Services, document: SealableDocument): Promise<string> {
  const { db, publicUrl, now } = services;
  const address = verifyUrl(publicUrl, document.code);
  const sealed = await findSealed(services, document);
  if (!sealed) return address;
  const statement = await statementOf(document, sealed.digest);
  const signer = await companySigner(services, document.company_id);
  const key = { statement_hash: statementHash(statement), short_id: signer.shortId };
  if (!(await digitsOf(db, document.id, key))) {
    await recordSigned(db, document.id, await signStatement(signer, address, statement), now().toISOString());
  }
  return `${address}/${await digitsOf(db, document.id, key)}`;
}

async function digitsOf(db: Db, documentId: number, { statement_hash, short_id }: Omit<SignedStatement, "digits">) {
  const recorded = db
    .selectFrom("signed_codes")
    .where("document_id", "=", documentId)
    .where("statement_hash", "=", statement_hash)
    .where("short_id", "=", short_id);
  return (await recorded.select("digits").executeTakeFirst())?.digits;
}
