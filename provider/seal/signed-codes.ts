import type { Selectable } from "kysely";
import { signCode } from "#lib/seal/signed-code.ts";
import { encodeStatement, statedNumber, type Statement } from "#lib/seal/statement.ts";
import type { Db, Tables } from "../db/tables.ts";
import { dayNumber, typeNumber } from "./compare.ts";
import { hashOf } from "./signatures.ts";
import type { CompanySigner } from "./keys/signer.ts";

/** Making signed codes. They state the record as it is at that time. */

export type StatedDocument = Pick<
  Selectable<Tables["documents"]>,
  "number" | "document_type" | "date" | "expire_date" | "pages" | "copies" | "version"
>;

const statedDigestBytes = 16;

/** The statement of a copy's code. `digest` is of its sealed PDF without stamp and signature, hexadecimal. */
export const statementOf = async (document: StatedDocument, copy: number, digest: string): Promise<Statement> => ({
  number: await statedNumber(document.number),
  type: typeNumber(document.document_type),
  date: dayNumber(document.date),
  lastDay: document.expire_date === null ? null : dayNumber(document.expire_date),
  digest: Buffer.from(digest, "hex").subarray(0, statedDigestBytes),
  pages: document.pages,
  copy,
  of: document.copies,
  revision: document.version,
});

export type SignedStatement = Pick<Selectable<Tables["signed_codes"]>, "digits" | "statement_hash" | "short_id">;

/** Signs a statement for the address of its document's verification page. */
export async function signStatement(
  { shortId, signCode: sign }: CompanySigner,
  address: string,
  statement: Statement,
): Promise<SignedStatement> {
  const digits = await signCode(address, { shortId, statement }, sign);
  return { digits, statement_hash: statementHash(statement), short_id: shortId };
}

export const statementHash = (statement: Statement) => hashOf({ payload: encodeStatement(statement) });

/** Digits as many as those of a statement's signed code. */
export const digitsLike = ({ shortId }: CompanySigner, address: string, statement: Statement) =>
  signCode(address, { shortId, statement }, () => new Uint8Array(64));

/** Records a signed statement; of two at once the first one stays. */
export const recordSigned = (db: Db, document_id: number, signed: SignedStatement, signed_at: string) =>
  db
    .insertInto("signed_codes")
    .values({ ...signed, document_id, signed_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
