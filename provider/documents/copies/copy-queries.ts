import { sql } from "kysely";
import type { z } from "zod";
import { type Actor, alertsWithin } from "../../access.ts";
import { dateIn } from "../../calendar/calendar.ts";
import type { Copy } from "../../contract/copies.ts";
import { countedScans } from "../../contract/document-options.ts";
import { codeOrigin } from "../../hosts/host-queries.ts";
import { verifyUrl } from "../document-queries.ts";
import type { Db } from "../../db/tables.ts";

type Copied = { id: number; code: string; copies: number };
export type CopyCode = { n: number; code: string };

/** A document's copies with their codes, in order; at least one. */
export async function copyCodes(db: Db, { id, code, copies }: Copied): Promise<CopyCode[]> {
  if (copies === 1) return [{ n: 1, code }];
  return db.selectFrom("document_copies").where("document_id", "=", id).orderBy("n").select(["n", "code"]).execute();
}

/** One of them; undefined if the document has no such copy. */
export async function copyCode(db: Db, { id, code, copies }: Copied, n: number): Promise<CopyCode | undefined> {
  if (n === 1) return { n, code };
  if (n > copies) return undefined;
  const copy = db.selectFrom("document_copies").where("document_id", "=", id).where("n", "=", n);
  return copy.select(["n", "code"]).executeTakeFirst();
}

/** The numbered copies of a document in the contract's form, with their scans if the actor may read them. */
export async function copiesReply(
  { db, publicUrl }: { db: Db; publicUrl: string },
  actor: Actor,
  id: number,
): Promise<z.input<typeof Copy>[]> {
  const document = db.selectFrom("documents").where("id", "=", id).select(["company_id", "host_id"]);
  const origin = await codeOrigin({ db, publicUrl }, await document.executeTakeFirstOrThrow());
  const readable = db.selectFrom("documents").where("id", "=", id).where(alertsWithin(actor, "read"));
  const mayReadScans = (await readable.select("id").executeTakeFirst()) !== undefined;
  const rows = await db
    .selectFrom("document_copies as copies")
    .where("document_id", "=", id)
    .orderBy("n")
    .select(["n", "code", "withdrawn_at", "withdrawn_reason", "withdrawn_note"])
    .$if(mayReadScans, (copies) => copies.select([lastScan, countOfScans]))
    .execute();
  return rows.map(({ n, code, withdrawn_at, withdrawn_reason, withdrawn_note, ...scanned }) => ({
    n,
    code,
    verify_url: verifyUrl(origin, code),
    ...(withdrawn_at && { withdrawn: { reason: withdrawn_reason!, since: dateIn(actor.timezone, withdrawn_at) } }),
    note: withdrawn_note ?? "",
    scans: scanned.scans === undefined ? null : Number(scanned.scans),
    last_scan: scanned.last_scan ?? null,
  }));
}

const ofCopy = sql`scans.document_id = copies.document_id and scans.copy = copies.n`;
const lastScan = sql<string | null>`(select max(at) from scans where ${ofCopy})`.as("last_scan");
/** Anyone can scan a copy ever again, so counting ends. */
const countOfScans = sql<number | string>`(select count(*) from
  (select 1 as one from scans where ${ofCopy} limit ${sql.lit(countedScans)}) as counted)`.as("scans");
