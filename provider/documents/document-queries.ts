import type { Selectable } from "kysely";
import { coverNotes } from "#lib/page-files/notes/covered.ts";
import { noteSentences } from "#lib/page-files/notes/notes.ts";
import { qrPng } from "#lib/page-files/seal/qr.ts";
import { type Actor, documentsWithin } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import { everyone, placingParts } from "../contract/document-options.ts";
import type { Document, DocumentRow } from "../contract/documents.ts";
import type { Right } from "../contract/permissions.ts";
import type { Values } from "../audit/audit-queries.ts";
import { TRUE } from "../db/flags.ts";
import { dateIn } from "../calendar/calendar.ts";
import { prolongedUntil } from "./lifecycle.ts";
import { documentLog } from "../log/log-entry.ts";
import { releasesOfDocument } from "../releases/of-document.ts";
import { replacementsOf } from "./replacements.ts";
import { endOfValidity, validityOf } from "../scans/validity.ts";
import { byIndex, isAmong } from "../db/lists.ts";
import { codeOrigin } from "../hosts/host-queries.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Files } from "#lib/storage/files/files.ts";

/** Documents with the names of owner, branch and access group, as lists show them. */
export const documentRows = (db: Db) =>
  db
    .selectFrom("documents")
    .innerJoin("users", "users.id", "documents.owner_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .leftJoin("access_groups", "access_groups.id", "documents.access_group_id")
    .select(["documents.id", "documents.name", "documents.date", "documents.number", "documents.status"])
    .select("documents.status_before_archive")
    .select(["documents.document_type as category", "documents.expire_date", "users.email", "users.name as user"])
    .select(["branches.name as branch", "access_groups.name as users_access_group"]);

/**
 * Documents by the index that has no more than who may read them, a fortieth of the table: SQLite keeps it in memory, and a
 * map of a branch takes half the time.
 */
export const documentsByReach = (db: Db) => byIndex(db, "documents", "documents_by_reach");

type JoinedDocumentRow = Awaited<ReturnType<ReturnType<typeof documentRows>["execute"]>>[number];

/** A row of `documentRows` in the contract's form, as of a day in the company's time zone. */
export const asRow = (
  { id, name, branch, users_access_group, date, number, email, user, ...row }: JoinedDocumentRow,
  today: string,
) =>
  ({
    id,
    name,
    branch: branch ?? "",
    users_access_group: users_access_group ?? everyone,
    date,
    number,
    email,
    user,
    category: row.category,
    status: row.status,
    expire_date: row.expire_date ?? "",
    validity: validityOf(row, today),
  }) satisfies Complete<typeof DocumentRow>;

/** A document's row; undefined if it is out of the actor's reach. */
export const findDocument = (db: Db, actor: Actor, id: number, right: Right = "read") =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("documents.id", "=", id)
    .where(documentsWithin(actor, right))
    .executeTakeFirst();

/** A document's page files in order. */
export const pageFilesOf = (db: Db, documentId: number) =>
  db.selectFrom("page_files").selectAll().where("document_id", "=", documentId).orderBy("n").execute();

/** One of a document's page files, or undefined. */
export const pageFileOf = (db: Db, documentId: number, n: number) =>
  db.selectFrom("page_files").selectAll().where("document_id", "=", documentId).where("n", "=", n).executeTakeFirst();

/** A document's custom fields in order. */
const customFieldsOf = (db: Db, documentId: number) =>
  db.selectFrom("custom_fields").where("document_id", "=", documentId).orderBy("n").select(["name", "value"]).execute();

/** A document's facts by which rules hold it back (`releases/release-rules.ts`). */
export async function factsOf<Row extends { id: number }>(db: Db, document: Row) {
  return { ...document, custom_fields: await customFieldsOf(db, document.id) };
}

/** Rows with their custom fields in order, read by one query. */
export async function withCustomFields<Row extends { id: number }>(db: Db, rows: Row[]) {
  const ids = rows.map(({ id }) => id);
  const fields = await db
    .selectFrom("custom_fields")
    .where(isAmong(db, "document_id", ids))
    .orderBy("document_id")
    .orderBy("n")
    .select(["document_id", "name", "value"])
    .execute();
  const byDocument = Map.groupBy(fields, ({ document_id }) => document_id);
  const fieldsOf = (id: number) => (byDocument.get(id) ?? []).map(({ name, value }) => ({ name, value }));
  return rows.map((row) => ({ ...row, custom_fields: fieldsOf(row.id) }));
}

/** A document's fields for the audit trail, each custom field by its name. */
export async function auditedDocument(db: Db, id: number): Promise<Values> {
  const document = await documentRows(db)
    .select(["document_type", "document_subtype", "access_type", "expire_type", "prolongation", "qr_placing", "pages"])
    .select(["documents.copies", "withdrawal_reason", "withdrawal_text", "withdrawal_note", "replaced_by_id"])
    .where("documents.id", "=", id)
    .executeTakeFirstOrThrow();
  const { name, number, date, email, branch, users_access_group, expire_date, status } = asRow(document, "");
  const { document_type, document_subtype, access_type, expire_type, qr_placing, pages, copies } = document;
  const prolongation = document.prolongation === 1;
  const basics = { name, number, document_type, document_subtype, date };
  const owners = { email, branch, users_access_group, access_type };
  const customFields = await customFieldsOf(db, id);
  const custom = customFields.map(({ name, value }) => [`custom_fields[${name}]`, value] as const);
  const rest = { expire_type, expire_date, prolongation, qr_placing, pages, ...(copies > 1 && { copies }), status };
  const withdrawn = await auditedWithdrawal(db, id, document);
  return { ...basics, ...owners, ...rest, ...withdrawn, ...Object.fromEntries(custom) };
}

type WithdrawalRow = Pick<
  Selectable<Tables["documents"]>,
  "withdrawal_reason" | "withdrawal_text" | "withdrawal_note" | "replaced_by_id"
>;

/** A withdrawal and replacements for the audit trail, by number; of other documents nothing. */
async function auditedWithdrawal(db: Db, id: number, { replaced_by_id, ...withdrawal }: WithdrawalRow) {
  const numberOf = async (column: "id" | "replaced_by_id", value: number) =>
    (await db.selectFrom("documents").where(column, "=", value).select("number").executeTakeFirst())?.number ?? null;
  return {
    withdrawal_reason: withdrawal.withdrawal_reason,
    withdrawal_text: withdrawal.withdrawal_text,
    withdrawal_note: withdrawal.withdrawal_note,
    replaced_by: replaced_by_id === null ? null : await numberOf("id", replaced_by_id),
    replaces: await numberOf("replaced_by_id", id),
  };
}

/** The address in a document's QR code, at PUBLIC_URL or its company's own host (`hosts/host-queries.ts`). */
export const verifyUrl = (origin: string, code: string) => `${origin}/v/${code}`;

type DocumentServices = { db: Db; files: Files; publicUrl: string; now(): Date };

/** One document in the contract's form, with its page files, custom fields and QR code. */
export async function documentReply(
  services: DocumentServices,
  actor: Actor,
  id: number,
): Promise<Complete<typeof Document>> {
  const { files, ...document } = await readDocument(services, actor, id);
  const qrcode = `data:image/png;base64,${qrPng(document.verify_url).toString("base64")}`;
  return { ...document, files: { qrcode, ...files } };
}

/** The same without its QR code, which takes a millisecond to draw. */
export async function readDocument({ db, files: stores, publicUrl, now }: DocumentServices, actor: Actor, id: number) {
  const document = await documentRows(db)
    .leftJoin("users as managers", (join) =>
      join.onRef("managers.id", "=", "branches.manager_id").on("managers.active", "=", TRUE),
    )
    .selectAll("documents")
    .select("managers.name as manager")
    .where("documents.id", "=", id)
    .executeTakeFirstOrThrow();
  const files = await pageFilesOf(db, id);
  const ended = endOfValidity({ ...document, timezone: actor.timezone }, now());
  const row = asRow(document, dateIn(actor.timezone, now()));
  const custom_fields = await customFieldsOf(db, id);
  const replacements = await replacementsOf(db, actor, id, document.replaced_by_id);
  return {
    ...row,
    document_type: document.document_type,
    document_subtype: document.document_subtype,
    access_type: document.access_type,
    expire_type: document.expire_type,
    prolongation: document.prolongation === 1,
    qr_placing: document.qr_placing,
    pages: document.pages,
    copies: document.copies,
    manager: document.manager ?? "",
    active: !ended,
    ...(ended && { ended }),
    prolonged_until: prolongedUntil(document),
    code: document.code,
    verify_url: verifyUrl(await codeOrigin({ db, publicUrl }, document), document.code),
    branch_id: document.branch_id,
    users_access_group_id: document.access_group_id,
    custom_fields,
    files: { pages: files.map(({ document_id: _, notes: __, ...file }) => file) },
    notes: [
      ...files.flatMap(({ name, notes }) => noteSentences(name, JSON.parse(notes) as string[], files.length === 1)),
      ...coverNotes(files, placingParts(document.qr_placing)),
    ],
    withdrawal_reason: document.withdrawal_reason ?? "",
    withdrawal_text: document.withdrawal_text ?? "",
    withdrawal_note: document.withdrawal_note ?? "",
    ...replacements,
    ...(await releasesOfDocument(db, id)),
    ...(await documentLog({ db, files: stores }, id, actor.timezone))?.reply,
    created_at: document.created_at,
    version: document.version,
  };
}
