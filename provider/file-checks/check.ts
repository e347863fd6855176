import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Selectable } from "kysely";
import type { Comparison } from "#lib/page-files/compare/compare.ts";
import { comparisonLimits, headBytes, kindOf } from "#lib/page-files/file-types.ts";
import { damaged, tooHeavy } from "#lib/page-files/page-files.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { minutesInSeconds } from "#lib/units.ts";
import type { FileCheck } from "../contract/file-checks.ts";
import type { Db, Tables } from "../db/tables.ts";
import { sealedKey } from "../files/derived-files.ts";
import { invalid, serviceUnavailable } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Compares a file with the stored files of a document: first by its SHA-256, then by how its pages look. */

/** A document, and its copy whose pages are compared. */
type Checked = Pick<Selectable<Tables["documents"]>, "id" | "folder" | "copies"> & { copy: number };
/** A file at a local path. */
export type GivenFile = { path: string; bytes: number; sha256: string };
type CheckServices = Pick<Services, "db" | "files" | "pageFiles" | "nudgeSealing">;
type Asked = { document: Checked; file: GivenFile; requester: Requester; showsPages: boolean };
type Sealed = Pick<Selectable<Tables["sealed_files"]>, "copy" | "bytes" | "sha256">;

/** The verdict on a file without a compared page. */
const nothingCompared = {
  copy: 0,
  page_file: 0,
  pages: 0,
  file_pages: 0,
  is_appended: false,
  has_more: false,
  more: [],
  not_compared: [],
  signature: "not checked" as const,
  changes: [],
  pictures: [],
};

/** To a stranger, who can do nothing about how a file was made. */
const tooHeavyToCompare =
  "This file takes too much time or memory to be compared here. That says nothing about whether it matches: ask the issuer.";

/** Of a copy's sealed PDFs, how many a file is compared with by its pages, the newest first. */
const maxSealed = 3;
/** Changed pages that are drawn for the reply. */
const maxPictures = 4;

/** `showsPages` says whether the reply has pictures. Throws 422 for a file that can't be compared, 503 before the seal. */
export async function checkFile(
  services: CheckServices,
  { document, file, requester, showsPages }: Asked,
): Promise<FileCheck> {
  const { db } = services;
  if (file.bytes === 0) throw invalid({ file: "This file is empty. Choose the PDF that you were given." });
  const sealed = await sealedOf(db, document.id);
  const verdict = await verdictBySha256(db, document, sealed, file);
  if (verdict) return verdict;
  if (!(await isPdf(file.path))) throw invalid({ file: "This file is not a PDF. Choose the PDF that you were given." });
  if (!sealed.some(({ copy }) => copy === document.copy)) {
    services.nudgeSealing();
    throw serviceUnavailable("This document is not sealed yet. Try again in a minute.", minutesInSeconds(1));
  }
  const isAppended = await continuesOne(file, sealed);
  const appended: FileCheck = { ...nothingCompared, verdict: "changed", is_appended: true };
  const small = comparedOf(sealed, document);
  if (small.length === 0) return isAppended ? appended : { ...nothingCompared, verdict: "not compared" };
  const pictures = showsPages ? maxPictures : 0;
  let best: Comparison | undefined;
  for (const { sha256 } of small) {
    const key = sealedKey(document.folder, sha256);
    const compared = await comparePages(services, requester, { file, key, pictures });
    if ("refused" in compared) {
      if (isAppended) return appended;
      // A sealed PDF of this length was opened: what takes too much is damage.
      const isDamaged = compared === tooHeavy && sealed.some(({ bytes }) => bytes === file.bytes);
      if (compared === tooHeavy && !isDamaged) throw invalid({ file: tooHeavyToCompare });
      throw invalid({ file: `This file ${isDamaged ? damaged.refused : compared.refused}.` });
    }
    if (!best || isCloser(compared, best)) best = compared;
    if (best.changes.length === 0) break;
  }
  return replyOf(best!, isAppended);
}

/** Of the sealed PDFs of a document, those whose pages a file is compared with. */
const comparedOf = (sealed: Sealed[], document: Checked) =>
  sealed
    .filter(({ copy, bytes }) => copy === document.copy && bytes <= comparisonLimits.sealedBytes)
    .slice(0, maxSealed);

/** The keys of all files that `checkFile` may read of a document. */
export async function comparedKeys(db: Db, document: Checked): Promise<string[]> {
  const sealed = await sealedOf(db, document.id);
  return comparedOf(sealed, document).map(({ sha256 }) => sealedKey(document.folder, sha256));
}

async function isPdf(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return kindOf(buffer.subarray(0, bytesRead)) === "application/pdf";
  } finally {
    await file.close();
  }
}

const sealedOf = (db: Db, documentId: number): Promise<Sealed[]> =>
  db
    .selectFrom("sealed_files")
    .where("document_id", "=", documentId)
    .orderBy("made_at", "desc")
    .select(["copy", "bytes", "sha256"])
    .execute();

async function verdictBySha256(
  db: Db,
  { id, copies }: Checked,
  sealed: Sealed[],
  file: GivenFile,
): Promise<FileCheck | undefined> {
  const same = sealed.find(({ sha256 }) => sha256 === file.sha256);
  if (same) return { ...nothingCompared, verdict: "same file", copy: copies === 1 ? 0 : same.copy };
  const pageFile = await db
    .selectFrom("page_files")
    .where("document_id", "=", id)
    .where("sha256", "=", file.sha256)
    .select("n")
    .executeTakeFirst();
  if (pageFile) return { ...nothingCompared, verdict: "page file", page_file: pageFile.n };
  // A sealed PDF that was made from the same template would look alike.
  const other = await db
    .selectFrom("sealed_files")
    .where("sha256", "=", file.sha256)
    .select("document_id")
    .executeTakeFirst();
  return other && { ...nothingCompared, verdict: "another document" };
}

/** Whether a file begins with all bytes of a sealed PDF. */
async function continuesOne({ path, bytes: all }: GivenFile, sealed: Sealed[]): Promise<boolean> {
  for (const { bytes, sha256 } of sealed) {
    if (bytes >= all) continue;
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk as Buffer);
    if (hash.digest("hex") === sha256) return true;
  }
  return false;
}

type Pages = { file: GivenFile; key: string; pictures: number };

const comparePages = ({ files, pageFiles }: CheckServices, requester: Requester, { file, key, pictures }: Pages) =>
  pageFiles.work(requester, (jobs) =>
    files.withLocalPaths([key], ([sealed]) => jobs.compare({ path: file.path, sealed: sealed!, pictures })),
  );

const isCloser = (one: Comparison, other: Comparison) =>
  one.isAlike === other.isAlike ? one.changes.length < other.changes.length : one.isAlike;

function replyOf(
  { pages, filePages, changes, isAlike, uncompared, more, signature, pictures }: Comparison,
  isAppended: boolean,
): FileCheck {
  if (!isAlike && changes.length > 0 && !isAppended) return { ...nothingCompared, verdict: "another document" };
  const isSame = changes.length === 0 && pages === filePages && !isAppended && more.length === 0;
  return {
    ...nothingCompared,
    verdict: !isSame ? "changed" : uncompared.length === 0 ? "looks the same" : "not compared",
    pages,
    file_pages: filePages,
    is_appended: isAppended,
    has_more: more.length > 0,
    more,
    not_compared: uncompared.map(({ page, filePage, reason, names }) => ({
      page,
      file_page: filePage,
      reason,
      fonts: names,
    })),
    signature,
    changes: changes.map((one) => ({
      change: one.change,
      page: "page" in one ? one.page : 0,
      file_page: "filePage" in one ? one.filePage : 0,
    })),
    pictures: pictures.map(({ filePage, ...picture }) => ({ ...picture, file_page: filePage })),
  };
}
