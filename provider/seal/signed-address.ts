import type { CopyCode } from "../documents/copies/copy-queries.ts";
import { verifyUrl } from "../documents/document-queries.ts";
import type { Db } from "../db/tables.ts";
import { codeOrigin } from "../hosts/host-queries.ts";
import type { Services } from "../services.ts";
import { findSealed } from "./sealed-files.ts";
import type { SealableDocument } from "./sealing.ts";
import { recordSigned, type SignedStatement, signStatement, statementHash, statementOf } from "./signed-codes.ts";
import { companySigner } from "./keys/signer.ts";

/**
 * The address for the QR code of a copy: signed once its sealed PDF exists, the same as long as record and key are. Throws
 * `SealKeysLocked`.
 */
export async function signedAddress(services: Services, document: SealableDocument, copy: CopyCode): Promise<string> {
  const { db, now } = services;
  const address = verifyUrl(await codeOrigin(services, document), copy.code);
  const sealed = await findSealed(services, document, copy.n);
  if (!sealed) return address;
  const statement = await statementOf(document, copy.n, sealed.digest);
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
