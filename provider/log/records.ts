import { createHmac, hash } from "node:crypto";
import type { Selectable } from "kysely";
import { isAmong } from "../db/lists.ts";
import type { Db, Tables } from "../db/tables.ts";

/** What the log's entries are hashes of (`docs/seal-format.md`). */

type Value = string | number | string[] | number[] | undefined;

/** `kind` is an action of the audit trail on a document, or one of these. */
export type LogRecord = { kind: string; at: string } & Record<string, Value>;
export const otherKinds = {
  /** An audit entry of anything but a document. */
  audit: "audit",
  /** A document or key that was not in the log yet. */
  existing: "existing",
  sealKeyMade: "seal key made",
  sealKeyRevoked: "seal key revoked",
  /** What was found without an entry after all existing ones had been entered: imported, or added to the database. */
  late: "late",
  existingEntered: "existing entered",
  /** A log's name. */
  origin: "log begun",
} as const;

/** A record's text: canonical JSON (RFC 8785), as it has texts and whole numbers alone. */
export const canonical = (record: object): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(record)
        .filter(([, value]) => value !== undefined)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );

/** The bytes before the record in what is hashed, and the hash: an entry of the log. */
export const entryOf = ({ salt, entered_at, record }: { salt: string; entered_at: string; record: string }): Buffer =>
  hash("sha256", preimageOf({ salt, entered_at, record }), "buffer");

/** What an entry is the SHA-256 of, for whoever may see the document. */
export const preimageOf = ({ salt, entered_at, record }: { salt: string; entered_at: string; record: string }) =>
  Buffer.concat([Buffer.from(salt, "base64url"), Buffer.from(`${entered_at}\n${record}`)]);

const auditColumns = [
  "company_id",
  "at",
  "actor_id",
  "actor",
  "api_key",
  "action",
  "entity",
  "entity_id",
  "entity_name",
  "changes",
] as const;
export type LoggedAudit = Pick<Selectable<Tables["audit"]>, (typeof auditColumns)[number]>;

/** An audit entry's digest, whose own salt no stranger learns: HMAC-SHA256, base64url. */
export const auditDigest = (row: LoggedAudit, salt: string): string =>
  createHmac("sha256", Buffer.from(salt, "base64url"))
    .update(JSON.stringify(auditColumns.map((column) => row[column])))
    .digest("base64url");

export const digest = (text: string) => hash("sha256", text, "base64url");

/** What a document's records say of its state; its code and those of its copies as SHA-256, base64url. */
export type DocumentState = Record<string, Value> & { document: string };

/** What a document's state is made of. */
export const stateColumns = (db: Db) =>
  db
    .selectFrom("documents")
    .leftJoin("documents as newer", "newer.id", "documents.replaced_by_id")
    .select(["documents.id", "documents.code", "documents.number", "documents.document_type", "documents.date"])
    .select(["documents.document_subtype", "documents.expire_date", "documents.status", "documents.copies"])
    .select(["documents.status_before_archive", "newer.code as newer"]);

type StateRow = Awaited<ReturnType<ReturnType<typeof stateColumns>["execute"]>>[number];

export const stateOf = (row: Omit<StateRow, "id" | "copies">, withdrawnCopies: number[]): DocumentState => ({
  document: digest(row.code),
  number: row.number,
  type: row.document_type,
  subtype: row.document_subtype || undefined,
  date: row.date,
  expires: row.expire_date ?? undefined,
  // The archive is the company's own affair.
  status: row.status === "archived" ? (row.status_before_archive ?? "active") : row.status,
  replaced_by: row.newer === null ? undefined : digest(row.newer),
  withdrawn_copies: withdrawnCopies.length > 0 ? withdrawnCopies.toSorted((a, b) => a - b) : undefined,
});

const shown = (value: unknown) => (value === undefined ? "empty" : JSON.stringify(value));

/** What a record says otherwise than the register, in words. */
export const differences = (record: LogRecord, now: Record<string, unknown>): string[] =>
  Object.entries(now)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(record[field]))
    .map(([field, value]) => `${field} was ${shown(record[field])} and is ${shown(value)}`);

/** A record of its text; undefined if it has not the form of one. */
export function readRecord(text: string): LogRecord | undefined {
  try {
    const record = JSON.parse(text) as LogRecord | null;
    return typeof record?.kind === "string" && typeof record.at === "string" ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The states of documents, of which an entry has that of its moment. */
export async function documentStates(db: Db, ids: number[]): Promise<Map<number, DocumentState>> {
  const rows = await stateColumns(db)
    .where(isAmong(db, "documents.id", ids))
    .execute();
  const copied = rows.filter(({ copies }) => copies > 1).map(({ id }) => id);
  const withdrawn = copied.length === 0 ? [] : await withdrawnCopies(db, copied);
  return new Map(
    rows.map((row) => {
      const copies = withdrawn.filter(({ document_id }) => document_id === row.id).map(({ n }) => n);
      return [row.id, stateOf(row, copies)];
    }),
  );
}

const withdrawnCopies = (db: Db, ids: number[]) =>
  db
    .selectFrom("document_copies")
    .where(isAmong(db, "document_id", ids))
    .where("withdrawn_at", "is not", null)
    .select(["document_id", "n"])
    .orderBy("n")
    .execute();

/** What a document's first record has beside its state: nothing of it changes. */
export async function firstStates(db: Db, ids: number[]): Promise<Map<number, Record<string, Value>>> {
  const [documents, copies, files] = await Promise.all([
    db
      .selectFrom("documents")
      .where(isAmong(db, "id", ids))
      .select(["id", "created_at"])
      .execute(),
    db
      .selectFrom("document_copies")
      .where(isAmong(db, "document_id", ids))
      .select(["document_id", "code"])
      .orderBy("n")
      .execute(),
    db
      .selectFrom("page_files")
      .where(isAmong(db, "document_id", ids))
      .select(["document_id", "sha256"])
      .orderBy("n")
      .execute(),
  ]);
  return new Map(
    documents.map(({ id, created_at }) => {
      const codes = copies.filter(({ document_id }) => document_id === id).map(({ code }) => digest(code));
      const own = files.filter(({ document_id }) => document_id === id).map(({ sha256 }) => sha256);
      return [id, { issued: created_at, copies: codes.length > 0 ? codes : undefined, files: digest(own.join("\n")) }];
    }),
  );
}
