import type { z } from "zod";
import type { Received } from "#lib/intake/form-body.ts";
import { isJwtBy, readCredential } from "#lib/seal/sd-jwt.ts";
import { passingFiles } from "#lib/storage/files/passing-files.ts";
import type { checkCredential as checkCall } from "../contract/wallet.ts";
import { fileTooLarge } from "../file-checks/uploads.ts";
import type { Db } from "../db/tables.ts";
import { HttpError, invalid } from "../http/errors.ts";
import { verificationOf } from "../scans/scan-view.ts";
import { documentByCode } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { issuerAt, issuerUrl } from "./issuers.ts";

const refused = () =>
  invalid({ credential: "This is no credential of a company that issues here, or it was altered: paste it whole" });

const noCode =
  "No QR code of a credential can be read in this picture: take it again, sharp and straight, or paste the text";

/** The credential in a picture's QR code. Throws 413, 422, and 503 while too much work waits. */
export async function textIn({ files, pageFiles }: Services, picture: Received | undefined, signal: AbortSignal) {
  if (!picture) throw invalid({ picture: "Choose the file first" });
  if (picture.truncated) throw new HttpError(413, fileTooLarge);
  const path = await passingFiles(files).pathOf(picture.key);
  const visitors = { tenant: "credentials", priority: "public", signal } as const;
  const texts = await pageFiles.work(visitors, (jobs) => jobs.readQrCodes({ path }));
  const text = texts.find((one) => one.includes("~"));
  if (text === undefined) throw invalid({ picture: noCode });
  return text;
}

/** What the register says of a credential's document, as far as the holder shows it. Throws 404, and 422 for any other text. */
export async function checkCredential(
  services: Services,
  text: string,
  hostCompany: number | undefined,
): Promise<z.input<typeof checkCall.reply>> {
  const { db, publicUrl, formerUrls } = services;
  const credential = readCredential(text);
  const { iss, status } = credential?.claims ?? {};
  const address = String(iss);
  const end = address.split("/").at(-1)!;
  const isOurs = [publicUrl, ...formerUrls].some((url) => address === issuerUrl(url, end));
  const issuer = isOurs ? await issuerAt(db, end) : undefined;
  const jwk = issuer && credential && (await keyById(db, issuer.id, credential.jwt.header.kid));
  if (!jwk || !isJwtBy({ kty: "EC", crv: "P-256", ...jwk }, credential.jwt)) throw refused();
  if (hostCompany !== undefined && issuer.id !== hostCompany) throw refused();
  const { idx } = (status as { status_list: { idx: number } }).status_list;
  const code = await codeOf(db, issuer.id, idx);
  const document = code && (await documentByCode(db, code, hostCompany));
  if (!document) throw new HttpError(404, "This credential is genuine, but its document is not known here any more");
  const all = await verificationOf(services, document, "");
  return shownOf(all, credential.claims);
}

/** A key of the company that was not revoked. */
const keyById = (db: Db, companyId: number, kid: unknown) =>
  db
    .selectFrom("seal_keys")
    .where("company_id", "=", companyId)
    .where("thumbprint", "=", String(kid))
    .where("revoked_at", "is", null)
    .select(["x", "y"])
    .executeTakeFirst();

/** The first code of a credential's document; undefined if a backup was restored that lacks it. */
async function codeOf(db: Db, companyId: number, idx: number) {
  const held = db
    .selectFrom("wallet_credentials as held")
    .innerJoin("documents", "documents.id", "held.document_id")
    .where("held.company_id", "=", companyId)
    .where("held.idx", "=", idx);
  return (await held.select("documents.code").executeTakeFirst())?.code;
}

type Verified = Awaited<ReturnType<typeof verificationOf>>;

/** What the register says now of each field that is shown; own fields as they were issued. */
function shownOf(all: Verified, claims: Record<string, unknown>): z.input<typeof checkCall.reply> {
  const textOf = (field: "code" | "document_type" | "document_subtype" | "branch") =>
    Object.hasOwn(claims, field) ? (all[field] ?? "") : "";
  const { verdict, ended, withdrawal_text, copy_withdrawn, company, number, date, expire_date, timezone, language } =
    all;
  return {
    verdict,
    ...(ended && { ended }),
    ...(withdrawal_text && { withdrawal_text }),
    ...(copy_withdrawn && { copy_withdrawn }),
    copy: 1,
    copies: copy_withdrawn ? all.copies! : 1,
    paper: "",
    open_pages: [],
    preparing: false,
    company,
    number,
    date,
    expire_date,
    timezone,
    language,
    code: textOf("code"),
    document_type: textOf("document_type"),
    document_subtype: textOf("document_subtype"),
    branch: textOf("branch"),
    pages: Object.hasOwn(claims, "pages") ? all.pages : 0,
    name: String(claims.name ?? ""),
    custom_fields: Object.entries(claims.custom_fields ?? {}).map(([name, value]) => ({ name, value: String(value) })),
  };
}
