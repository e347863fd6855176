import { watch } from "#lib/metric-sources.ts";
import { metrics } from "#lib/metrics.ts";
import { limits } from "#lib/page-files/file-types.ts";
import { spaceOfDocument, uploadWithin } from "#lib/page-files/space.ts";
import { discardBody } from "#lib/storage/files/discard-body.ts";
import { showBytes } from "#lib/units.ts";
import { declaredBytes } from "#lib/intake/form-body.ts";
import { formOverheadBytes, type UploadLimits } from "#lib/intake/multipart.ts";
import { createReservations } from "#lib/storage/files/reservations.ts";
import type { Db } from "../db/tables.ts";
import { HttpError, serviceUnavailable } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** A company's storage quota: templates, page files, also of what awaits release, and an estimate of the files derived from them. */

/** The bytes that count towards a company's quota. */
export async function companyStorageBytes(db: Db, companyId: number): Promise<number> {
  const documents = await counters(db).where("id", "=", companyId).executeTakeFirstOrThrow();
  const templates = await db
    .selectFrom("templates")
    .select(({ fn }) => fn.sum<number | null>("bytes").as("bytes"))
    .where("company_id", "=", companyId)
    .executeTakeFirstOrThrow();
  const releases = await db
    .selectFrom("releases")
    .select(({ fn }) => fn.sum<number | null>("bytes").as("bytes"))
    .where("company_id", "=", companyId)
    .where("state", "in", ["waiting", "returned"])
    .executeTakeFirstOrThrow();
  return spaceOfDocument(documents) + Number(templates.bytes ?? 0) + Number(releases.bytes ?? 0);
}

const counters = (db: Db) =>
  db.selectFrom("companies").select(["stored_bytes as bytes", "pages", "sealed_bytes as sealed"]);

/** Registers the metrics of what companies store. */
export function watchStorage({ db, quotas }: Pick<Services, "db" | "quotas">) {
  const companies = () => counters(db).execute();
  watch("documents", async () => (await companies()).reduce((sum, { bytes }) => sum + bytes, 0));
  watch("companies almost full", async () => {
    const sizes = (await companies()).map(spaceOfDocument);
    return sizes.filter((bytes) => bytes > 0.9 * quotas.companyBytes).length;
  });
}

/**
 * Throws 409 if a new document exceeds its company's quota. `db` is the transaction that has counted it, without
 * `furtherSeals`: the bytes of the sealed PDFs of its copies beyond the first.
 */
export async function enforceQuota(
  { quotas }: Pick<Services, "quotas">,
  db: Db,
  companyId: number,
  { furtherSeals }: { furtherSeals: number },
) {
  const bytes = (await companyStorageBytes(db, companyId)) + furtherSeals;
  if (bytes > quotas.companyBytes) throw quotaExceeded(quotas.companyBytes, { excess: bytes - quotas.companyBytes });
}

/** Throws 409 if a further sealed PDF of a document exceeds its company's quota. */
export async function enforceQuotaOfSeals({ quotas }: Pick<Services, "quotas">, db: Db, companyId: number) {
  if ((await companyStorageBytes(db, companyId)) < quotas.companyBytes) return;
  throw quotaExceeded(quotas.companyBytes, { outcome: "The PDF was not sealed again." });
}

/** Throws 409 if a template exceeds its company's quota. `db` is the transaction that has counted it. */
export async function enforceQuotaOfTemplates({ quotas }: Pick<Services, "quotas">, db: Db, companyId: number) {
  if ((await companyStorageBytes(db, companyId)) <= quotas.companyBytes) return;
  throw quotaExceeded(quotas.companyBytes, { outcome: "The template was not stored." });
}

/**
 * Throws 409 if a company's quota is used up, before a temporary file is received: with the ZIPs
 * that wait to be issued, which do not count when they are.
 */
export async function requireStorageLeft({ db, quotas }: Pick<Services, "db" | "quotas">, companyId: number) {
  const { waiting } = await db
    .selectFrom("bulk_issues")
    .select(({ fn }) => fn.sum<number | null>("archive_bytes").as("waiting"))
    .where("company_id", "=", companyId)
    .where("archive_key", "is not", null)
    .executeTakeFirstOrThrow();
  if ((await companyStorageBytes(db, companyId)) + Number(waiting ?? 0) < quotas.companyBytes) return;
  throw quotaExceeded(quotas.companyBytes, { outcome: "The file was not stored." });
}

/** How much a call may upload. */
export type UploadAllowance = {
  limits: UploadLimits;
  /** The error for a form that is too large, if the quota made it so. */
  tooLarge: (() => Error) | undefined;
  /** Ends the reservation of the bytes. */
  release(): void;
};

const uploads = { fileBytes: limits.fileBytes, files: limits.files, totalBytes: limits.documentBytes };

type Uploader = { id: number; company_id: number };
/** Uploads of one user at once: colleagues lack the space that they reserve. */
const maxConcurrentUploads = 30;
const tooManyAtOnce =
  "Several of your documents are being received just now. Nothing was issued. Try again in a moment.";

/** Returns a function that reserves an upload before it arrives. It throws 409 if the quota is used up. */
export function createUploadAllowance(
  { db, files, quotas }: Pick<Services, "db" | "files" | "quotas">,
  outcome = "Nothing was issued.",
) {
  const reservedBytes = createReservations<number>();
  const uploadsByUser = createReservations<number>();
  async function reserve(companyId: number, request: Request): Promise<UploadAllowance> {
    const declared = declaredBytes(request);
    await files.ensureSpace(declared ?? 0);
    const freeBytes = quotas.companyBytes - (await companyStorageBytes(db, companyId)) - reservedBytes.of(companyId);
    const totalBytes = Math.min(uploads.totalBytes, uploadWithin(freeBytes));
    const tooLarge =
      totalBytes < uploads.totalBytes ? () => quotaExceeded(quotas.companyBytes, { outcome }) : undefined;
    if (tooLarge && (totalBytes === 0 || (declared ?? 0) > totalBytes + formOverheadBytes)) {
      await discardBody(request);
      throw tooLarge();
    }
    const bytes = Math.min(declared ?? totalBytes, totalBytes);
    const release = reservedBytes.reserve(companyId, spaceOfDocument({ bytes, pages: 0 }));
    return { limits: { ...uploads, totalBytes }, tooLarge, release };
  }

  return async function allowUpload({ id, company_id }: Uploader, request: Request): Promise<UploadAllowance> {
    if (uploadsByUser.of(id) >= maxConcurrentUploads) throw serviceUnavailable(tooManyAtOnce, 5);
    const done = uploadsByUser.reserve(id, 1);
    try {
      const receiving = await reserve(company_id, request);
      const release = () => [receiving.release, done].forEach((one) => one());
      return { ...receiving, release };
    } catch (error) {
      done();
      throw error;
    }
  };
}

type Excess = { excess?: number; outcome?: string };

/** A 409 that more storage would help. */
export class QuotaExceeded extends HttpError {}

function quotaExceeded(quota: number, { excess, outcome = "Nothing was issued." }: Excess = {}) {
  metrics.quotaRefused.inc({ quota: "company" });
  const reason = excess ? `this document takes ${showBytes(excess)} more than is left of it` : "it is almost used up";
  return new QuotaExceeded(
    409,
    `Your company may store ${showBytes(quota)}, and ${reason}. ${outcome} Ask an administrator to get more ` +
      "storage from your operator: Tariffs shows how much is used.",
  );
}
