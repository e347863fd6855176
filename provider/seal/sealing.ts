import { copyFile } from "node:fs/promises";
import type { Selectable } from "kysely";
import type { PageJobs } from "#lib/page-files/page-files.ts";
import { qrModules } from "#lib/page-files/seal/qr.ts";
import { stampContent } from "#lib/page-files/seal/stamp-content.ts";
import { signDigest, type TimeStamper } from "#lib/seal/cms.ts";
import { type SealedBytes, sealInPlace } from "#lib/seal/signed-file.ts";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import { placingParts } from "../contract/document-options.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import type { CopyCode } from "../documents/copies/copy-queries.ts";
import { pageFilesOf, verifyUrl } from "../documents/document-queries.ts";
import type { Tables } from "../db/tables.ts";
import { groupedCode } from "../documents/codes.ts";
import { pageKey, sealedKey } from "../files/derived-files.ts";
import { codeOrigin } from "../hosts/host-queries.ts";
import type { Services } from "../services.ts";
import { signatureForm } from "./signature-form.ts";
import {
  digitsLike,
  recordSigned,
  type SignedStatement,
  signStatement,
  type StatedDocument,
  statementOf,
} from "./signed-codes.ts";
import { companySigner, type CompanySigner } from "./keys/signer.ts";

/** Makes sealed PDFs: the pages once, then for each copy its own stamp and signature. */

export type SealableDocument = StatedDocument &
  Pick<Selectable<Tables["documents"]>, "id" | "company_id" | "host_id" | "folder" | "code" | "qr_placing">;

type CopyToSeal = { document: SealableDocument; copy: CopyCode; unsealed: Unsealed };

/** Seals the pages for one copy, and stores the file and its row. */
export async function sealAndStore(services: Services, toSeal: CopyToSeal) {
  const { files } = services;
  const { document, copy, unsealed } = toSeal;
  await withWorkFile(files, async (path) => {
    await copyFile(unsealed.path, path);
    const sealed = await seal(toSeal, path);
    const key = sealedKey(document.folder, sealed.sha256);
    await files.adopt(key, path);
    const isFirst = await record(services, document, { ...sealed, copy: copy.n, public_url: unsealed.origin });
    // Another process was faster, and its file is the sealed PDF.
    if (!isFirst) await files.remove(key);
  });
}

/** The pages as one PDF that leaves spaces for the stamp and the signature. */
type Unsealed = {
  path: string;
  /** In the codes. */
  origin: string;
  signer: CompanySigner;
  spaces: { stamp?: Space | undefined; signature: Space };
  room: number;
  at: string;
  timeStamp: TimeStamper | undefined;
  /** Whether the stamp is large enough for a signed code. */
  isSigned: boolean;
  /** Of the code, in modules. */
  side: number | undefined;
  isBare: boolean;
};
type Space = { start: number; end: number };

/** Writes the pages to a path, by a process for page work. */
export async function compose(
  services: Services,
  jobs: PageJobs,
  document: SealableDocument,
  path: string,
): Promise<Unsealed> {
  const { db, files } = services;
  const signer = await companySigner(services, document.company_id);
  const rows = await pageFilesOf(db, document.id);
  const { form: signature, stamp: timeStamp } = await signatureForm(services, signer);
  const { at, room } = signature;
  const origin = await codeOrigin(services, document);
  const stamp = await stampOf(origin, document, signer);
  const keys = rows.map(({ n }) => pageKey(document.folder, n));
  const spaces = await files.withLocalPaths(keys, (paths) =>
    jobs.seal({
      files: rows.map(({ type, name }, index) => ({ path: paths[index]!, type, name })),
      title: `${document.document_type} ${document.number}`,
      stamp,
      signature,
      to: path,
    }),
  );
  const isSigned = spaces.stamp?.isSigned ?? false;
  const side = stamp && (isSigned ? stamp.sizes.signed : stamp.sizes.plain);
  const isBare = stamp?.placing.isBare ?? false;
  return {
    path,
    origin,
    signer,
    spaces: { stamp: spaces.stamp, signature: spaces.signature! },
    room,
    at,
    timeStamp,
    isSigned,
    side,
    isBare,
  };
}

type SealedPdf = SealedBytes & { timestamped: boolean; at: string; signed: SignedStatement | undefined };

/** Fills the spaces by this process, which has the key. */
async function seal({ document, copy, unsealed }: CopyToSeal, path: string): Promise<SealedPdf> {
  const { signer, spaces, room, at, timeStamp, isSigned, side, isBare } = unsealed;
  const characters = isBare ? "" : groupedCode(copy.code);
  const address = verifyUrl(unsealed.origin, copy.code);
  let timestamped = false;
  let signed: SignedStatement | undefined;
  const sealed = await sealInPlace(path, spaces, {
    async drawStamp(digest) {
      if (isSigned) {
        signed = await signStatement(signer, address, await statementOf(document, copy.n, digest.toString("hex")));
      }
      return stampContent(signed ? `${address}/${signed.digits}` : address, characters, side);
    },
    async sign(digest) {
      const result = await signDigest(digest, signer, { room, timeStamp });
      timestamped = result.timestamped;
      return result.signature;
    },
  });
  return { ...sealed, timestamped, at, signed };
}

/** Positions and sizes of the codes, plain and signed: of all copies as large as the last one's, whose number is the longest. */
async function stampOf(origin: string, document: SealableDocument, signer: CompanySigner) {
  const placing = placingParts(document.qr_placing);
  if (!placing) return undefined;
  const address = verifyUrl(origin, document.code);
  const anyDigest = "0".repeat(64);
  const digits = await digitsLike(signer, address, await statementOf(document, document.copies, anyDigest));
  return {
    code: groupedCode(document.code),
    placing,
    sizes: { plain: qrModules(address).size, signed: qrModules(`${address}/${digits}`).size },
  };
}

/** Adds the row of a stored file. Returns false if there is one already. */
function record(
  { db }: Services,
  document: SealableDocument,
  { at, timestamped, signed, ...file }: SealedPdf & { copy: number; public_url: string },
) {
  const { id, company_id, qr_placing } = document;
  return inCompanyTransaction(db, company_id, async (transaction) => {
    const inserted = await transaction
      .insertInto("sealed_files")
      .values({
        ...file,
        document_id: id,
        qr_placing,
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
      .set((eb) => ({ sealed_bytes: eb("sealed_bytes", "+", file.bytes) }))
      .where("id", "=", company_id)
      .execute();
    return true;
  });
}
