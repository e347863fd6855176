import { hash } from "node:crypto";
import type { z } from "zod";
import { codeIndex, listSalt } from "#lib/seal/make-status-list.ts";
import { isSignedBy, readSignedCode, type SignedCode, verifyingKey } from "#lib/seal/signed-code.ts";
import type { Signature as SignatureSchema } from "../contract/signatures.ts";
import { dateIn } from "../calendar/calendar.ts";
import { verifyUrl } from "../documents/document-queries.ts";
import { signedOrigins } from "../hosts/host-queries.ts";
import type { Db } from "../db/tables.ts";
import type { Scanned } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { compareWithRecord } from "./compare.ts";
import { firstKeyOf, statusListUrl } from "./status-lists.ts";

export type Signature = z.output<typeof SignatureSchema>;

type Checked = { code: string; digits: string; document: Scanned | undefined; hostCompany: number | undefined };

/** Checks the digits behind a code; `document` is undefined if none has the code. A company's own host knows its keys alone. */
export async function checkSignature(
  services: Pick<Services, "db" | "publicUrl" | "formerUrls">,
  { code, digits, document, hostCompany }: Checked,
): Promise<Signature> {
  const { db, publicUrl } = services;
  const signed = readSignedCode(digits);
  const none = { company: "", differs: [], revoked: "" };
  if (!signed) return { verdict: "unreadable", ...none };
  const key = await keyById(db, signed.shortId);
  if (!key || (hostCompany ?? key.company_id) !== key.company_id) return { verdict: "unknown key", ...none };
  const { company, company_id, timezone, revoked_at } = key;
  const revoked = revoked_at ? dateIn(timezone, revoked_at) : "";
  const status = { status_list: statusReference(publicUrl, key.list!, code) };
  const facts = { company, differs: [], revoked, status };
  const addresses = (await signedOrigins(services, company_id)).map((url) => verifyUrl(url, code));
  if (!(await isSignedForOne(addresses, key, signed))) return { verdict: "altered", ...none };
  if (revoked && !(await wasSignedByUs(db, document, signed))) return { verdict: "revoked key", ...facts };
  if (!document) return { verdict: "no record", ...facts };
  if (signed.statement === "newer") return { verdict: "newer", ...facts };
  const differs = await compareWithRecord(signed.statement, document);
  if (document.company_id !== company_id) return { verdict: "contradicts", ...facts, differs };
  if (differs.length === 0) return { verdict: "confirmed", ...facts };
  const isLater = document.version > signed.statement.revision;
  return { verdict: isLater ? "changed since" : "contradicts", ...facts, differs };
}

/** Where a company's list, whose address ends with `list`, has the status of a code, as IETF Token Status List refers to it. */
function statusReference(publicUrl: string, list: string, code: string) {
  const uri = statusListUrl(publicUrl, list);
  return { idx: codeIndex(listSalt(uri), code), uri };
}

const keyById = (db: Db, shortId: string) =>
  db
    .selectFrom("seal_keys")
    .innerJoin("companies", "companies.id", "seal_keys.company_id")
    .where("short_id", "=", shortId)
    .select(["x", "y", "revoked_at", "company_id", "companies.name as company", "companies.timezone"])
    .select((eb) => firstKeyOf(eb, "seal_keys.company_id").as("list"))
    .executeTakeFirst();

async function isSignedForOne(addresses: string[], { x, y }: { x: string; y: string }, signed: SignedCode) {
  const key = await verifyingKey({ kty: "EC", crv: "P-256", x, y });
  for (const address of addresses) if (await isSignedBy(key, address, signed)) return true;
  return false;
}

/** Whether a signature by a key that was revoked later is one that was recorded when it was made. */
async function wasSignedByUs(db: Db, document: Scanned | undefined, signed: SignedCode) {
  if (!document) return false;
  const recorded = db
    .selectFrom("signed_codes")
    .where("document_id", "=", document.id)
    .where("statement_hash", "=", hashOf(signed))
    .where("short_id", "=", signed.shortId);
  return (await recorded.select("id").executeTakeFirst()) !== undefined;
}

/** The record of a signed statement. */
export const hashOf = ({ payload }: Pick<SignedCode, "payload">) => hash("sha256", payload, "base64url");
