import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Selectable } from "kysely";
import { derivedWork } from "#page-files/derived-files.ts";
import { Failures } from "#page-files/failures.ts";
import type { PageJobs } from "#page-files/page-files.ts";
import { qrModules } from "#page-files/qr.ts";
import type { Requester } from "#page-files/requesters.ts";
import { stampContent } from "#page-files/stamp-content.ts";
import { signatureRoom, signDigest, signerName } from "#seal/cms.ts";
import { type SealedBytes, sealInPlace } from "#seal/signed-file.ts";
import { enforceQuotaOfSeals } from "../company/storage.ts";
import { placingParts, placingSizes } from "../contract/document-options.ts";
import { inCompanyTransaction } from "../db/company.ts";
import { pageFilesOf, verifyUrl } from "../db/documents.ts";
import type { Db, Tables } from "../db/tables.ts";
import { groupedCode } from "../documents/codes.ts";
import { pageKey, sealedKey } from "../files/derived-files.ts";
import type { Services } from "../services.ts";
import {
  digitsLike,
  recordSigned,
  type SignedStatement,
  signStatement,
  type StatedDocument,
  statementOf,
} from "./signed-codes.ts";
import { companySigner, type CompanySigner } from "./signer.ts";

/** Sealed PDFs. They are signed, so that none can be made again: each is stored for ever, with its SHA-256 in a row. */

export type SealableDocument = StatedDocument &
  Pick<Selectable<Tables["documents"]>, "id" | "company_id" | "folder" | "code" | "qr_placing">;

/** `digest` is SHA-256 without stamp and signature. */
export type SealedFile = { key: string; bytes: number; sha256: string; digest: string };

/**
 * The sealed PDF of a document as it is placed now and with the public address of now, made if it is not stored yet. Throws as
 * `PageFiles.work` does, `SealKeysLocked`, and 409 where one more of a document exceeds the company's quota.
 */
export async function sealedPdf(
  services: Services,
  requester: Requester,
  document: SealableDocument,
): Promise<SealedFile> {
  const stored = await findSealed(services, document);
  if (stored) return stored;
  const { folder, qr_placing, company_id } = document;
  const isFurther = (await sealedFilesOf(services.db, document.id)).length > 0;
  if (isFurther) await enforceQuotaOfSeals(services, services.db, company_id);
  await derivedWork(services, requester, {
    key: `${folder}/sealed ${qr_placing}`,
    failures: new Failures(services.files, `${folder}/sealed`),
    run: (jobs) => makeAndStore(services, jobs, document),
  });
  return (await findSealed(services, document))!;
}

/** The same if it is stored. */
export async function findSealed({ db, publicUrl }: Services, { id, folder, qr_placing }: SealableDocument) {
  const row = await db
    .selectFrom("sealed_files")
    .where("document_id", "=", id)
    .where("qr_placing", "=", qr_placing)
    .where("public_url", "=", publicUrl)
    .select(["bytes", "sha256", "digest"])
    .executeTakeFirst();
  return row && { ...row, key: sealedKey(folder, row.sha256) };
}

/** All sealed PDFs of a document. */
export const sealedFilesOf = (db: Db, documentId: number) =>
  db.selectFrom("sealed_files").where("document_id", "=", documentId).select("sha256").execute();

async function makeAndStore(services: Services, jobs: PageJobs, document: SealableDocument) {
  const { files } = services;
  const path = await files.workPath(randomUUID());
  try {
    const made = await make(services, jobs, document, path);
    const key = sealedKey(document.folder, made.sha256);
    await files.adopt(key, path);
    const isFirst = await record(services, document, made);
    // Another process was faster, and its file is the sealed PDF.
    if (!isFirst) await files.remove(key);
  } finally {
    await rm(path, { force: true });
  }
}

type Made = SealedBytes & { timestamped: boolean; at: string; signed: SignedStatement | undefined };

/** Writes the sealed PDF to a path: the pages by a process for page work, the signature by this one, which has the key. */
async function make(services: Services, jobs: PageJobs, document: SealableDocument, to: string): Promise<Made> {
  const { db, files, publicUrl, timeStamp } = services;
  const signer = await companySigner(services, document.company_id);
  const rows = await pageFilesOf(db, document.id);
  const room = signatureRoom(signer.chain, Boolean(timeStamp));
  const at = services.now().toISOString();
  const signature = { name: signerName(signer.chain), at, room };
  const address = verifyUrl(publicUrl, document.code);
  const stamp = await stampOf(document, signer, address);
  const keys = rows.map(({ n }) => pageKey(document.folder, n));
  const { stamp: stampSpace, signature: signatureSpace } = await files.withLocalPaths(keys, (paths) =>
    jobs.seal({ files: rows.map(({ type }, index) => ({ path: paths[index]!, type })), stamp, signature, to }),
  );
  let timestamped = false;
  let signed: SignedStatement | undefined;
  const spaces = { stamp: stampSpace, signature: signatureSpace! };
  const sealed = await sealInPlace(to, spaces, {
    async drawStamp(digest) {
      if (stampSpace!.isSigned) {
        signed = await signStatement(signer, address, await statementOf(document, digest.toString("hex")));
      }
      return stampContent(signed ? `${address}/${signed.digits}` : address, groupedCode(document.code));
    },
    async sign(digest) {
      const made = await signDigest(digest, signer, { room, timeStamp });
      timestamped = made.timestamped;
      return made.signature;
    },
  });
  return { ...sealed, timestamped, at, signed };
}

/** Where the code goes, and how large it is, plain and signed; undefined without a placing. */
async function stampOf(document: SealableDocument, signer: CompanySigner, address: string) {
  const parts = placingParts(document.qr_placing);
  if (!parts) return undefined;
  const anyDigest = "0".repeat(64);
  const digits = await digitsLike(signer, address, await statementOf(document, anyDigest));
  return {
    code: groupedCode(document.code),
    placing: { corner: parts.corner, pages: parts.pages, millimetres: placingSizes[parts.size] },
    sizes: { plain: qrModules(address).size, signed: qrModules(`${address}/${digits}`).size },
  };
}

/** Adds the row of a stored file. Returns false where there is one already. */
function record({ db, publicUrl }: Services, document: SealableDocument, { at, timestamped, signed, ...made }: Made) {
  const { id, company_id, qr_placing } = document;
  return inCompanyTransaction(db, company_id, async (transaction) => {
    const inserted = await transaction
      .insertInto("sealed_files")
      .values({
        ...made,
        document_id: id,
        qr_placing,
        public_url: publicUrl,
        timestamped: timestamped ? 1 : 0,
        made_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("document_id")
      .executeTakeFirst();
    if (!inserted) return false;
    if (signed) await recordSigned(transaction, id, signed, at);
    await transaction
      .updateTable("companies")
      .set((eb) => ({ sealed_bytes: eb("sealed_bytes", "+", made.bytes) }))
      .where("id", "=", company_id)
      .execute();
    return true;
  });
}
