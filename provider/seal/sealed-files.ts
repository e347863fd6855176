import { derivedWork } from "#lib/page-files/derived-files.ts";
import { Failures } from "#lib/page-files/process/failures.ts";
import type { PageJobs } from "#lib/page-files/page-files.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { enforceQuotaOfSeals } from "../company/storage.ts";
import { copyCodes, type CopyCode } from "../documents/copies/copy-queries.ts";
import type { Db } from "../db/tables.ts";
import { sealedKey } from "../files/derived-files.ts";
import { codeOrigin } from "../hosts/host-queries.ts";
import type { Services } from "../services.ts";
import { compose, sealAndStore, type SealableDocument } from "./sealing.ts";

/** Sealed PDFs. They are signed, so that none can be made again: each is stored for ever, with its SHA-256 in a row. */

/** `digest` is SHA-256 without stamp and signature. */
export type SealedFile = { key: string; bytes: number; sha256: string; digest: string };

/**
 * The sealed PDF of a copy as the document is placed now and with the address of its codes of now; all that are not stored yet are
 * made. Throws as `PageFiles.work` does, `SealKeysLocked`, `OperatorKeyFailed`, and 409 if it exceeds the company's quota.
 */
export async function sealedPdf(
  services: Services,
  requester: Requester,
  document: SealableDocument,
  copy = 1,
): Promise<SealedFile> {
  const stored = await findSealed(services, document, copy);
  if (stored) return stored;
  try {
    await sealCopies(services, requester, document);
  } catch (error) {
    // Later copies may have exceeded the quota.
    const sealed = await findSealed(services, document, copy);
    if (sealed) return sealed;
    throw error;
  }
  return (await findSealed(services, document, copy))!;
}

/** The sealed PDFs of all copies, in order; throws the same. */
export async function sealedPdfs(services: Services, requester: Requester, document: SealableDocument) {
  await sealCopies(services, requester, document);
  const { sealed } = await sealedNow(services, document);
  return sealed.orderBy("copy").select(["copy", "bytes", "sha256", "made_at"]).execute();
}

/** Makes the sealed PDFs of all copies that are not stored yet; throws the same. */
export async function sealCopies(services: Services, requester: Requester, document: SealableDocument) {
  if ((await unsealedCopies(services, document)).length === 0) return;
  const { folder, qr_placing } = document;
  await enforceQuotaBeyondFirst(services, document);
  await derivedWork(services, requester, {
    key: `${folder}/sealed ${qr_placing}`,
    failures: new Failures(services.files, `${folder}/sealed`),
    run: (jobs) => makeAndStore(services, jobs, document),
  });
}

/** The quota had room for one sealed PDF of a document when it was issued, and counts each further one. */
async function enforceQuotaBeyondFirst(services: Services, { id, company_id }: SealableDocument) {
  const isFurther = (await sealedFilesOf(services.db, id)).length > 0;
  if (isFurther) await enforceQuotaOfSeals(services, services.db, company_id);
}

/** The sealed PDF of a copy if it is stored. */
export async function findSealed(services: Services, document: SealableDocument, copy: number) {
  const { sealed } = await sealedNow(services, document);
  const row = await sealed.where("copy", "=", copy).select(["bytes", "sha256", "digest", "made_at"]).executeTakeFirst();
  return row && { ...row, key: sealedKey(document.folder, row.sha256) };
}

async function sealedNow(services: Services, document: SealableDocument) {
  const sealed = services.db
    .selectFrom("sealed_files")
    .where("document_id", "=", document.id)
    .where("qr_placing", "=", document.qr_placing)
    .where("public_url", "=", await codeOrigin(services, document));
  // A query that is returned alone would be awaited, too.
  return { sealed };
}

async function unsealedCopies(services: Services, document: SealableDocument): Promise<CopyCode[]> {
  const { sealed } = await sealedNow(services, document);
  const copies = (await sealed.select("copy").execute()).map(({ copy }) => copy);
  return (await copyCodes(services.db, document)).filter(({ n }) => !copies.includes(n));
}

/** All sealed PDFs of a document. */
export const sealedFilesOf = (db: Db, documentId: number) =>
  db.selectFrom("sealed_files").where("document_id", "=", documentId).select("sha256").execute();

/** Writes the pages once, so that copies which are sealed together share the digest, and seals them for each copy. */
async function makeAndStore(services: Services, jobs: PageJobs, document: SealableDocument) {
  await withWorkFile(services.files, async (path) => {
    const unsealed = await compose(services, jobs, document, path);
    for (const copy of await unsealedCopies(services, document)) {
      await enforceQuotaBeyondFirst(services, document);
      await sealAndStore(services, { document, copy, unsealed });
    }
  });
}
