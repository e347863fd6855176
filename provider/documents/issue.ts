import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { z } from "zod";
import { inspectStored } from "#page-files/kept.ts";
import { type Inspected, tooLarge } from "#page-files/kinds.ts";
import type { Requester } from "#page-files/requesters.ts";
import { fold } from "#storage/text.ts";
import type { Received } from "#intake/form-body.ts";
import { type Actor, usersWithin } from "../access.ts";
import { actorRequester } from "../files/requesters.ts";
import { newCode, newNumber } from "./codes.ts";
import { enforceQuota } from "../company/storage.ts";
import { everyone } from "../contract/document-options.ts";
import type { storeDocument } from "../contract/document-form.ts";
import { groupNamed } from "../db/access-groups.ts";
import { audit } from "../db/audit.ts";
import { dateIn } from "../calendar.ts";
import { auditedDocument, findDocument } from "../db/documents.ts";
import type { Tables } from "../db/tables.ts";
import { conflict, invalid, HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { queueDrawing, openToAll } from "./open-pages.ts";
import { markPastReminders } from "./remind.ts";

/** Issuing: from a draft and its page files to a document with a number, a code and a seal. */

type Draft = z.output<typeof storeDocument.body>;
type Db = Kysely<Tables>;
type PageFile = Inspected & Received;

/** Who issues: the actor as they were when the request came, and how to write with the rights that they have by then. */
export type Issuer = {
  actor: Actor;
  write<T>(work: (transaction: Db, actor: Actor) => Promise<T>): Promise<T>;
};
type IssueRequest = {
  draft: Draft;
  received: Received[];
  folder: string;
  key: string | undefined;
  /** Aborts when nothing is waiting for the answer any more. */
  signal?: AbortSignal;
};

/**
 * Issues a document from a draft whose files are in the store below `folder`, and returns its id. With a key that the
 * actor has used before, returns that document's id.
 */
export async function issueDocument(services: Services, by: Issuer, sent: IssueRequest): Promise<number> {
  const { id, isNew } = await issue(services, by, sent);
  if (!isNew) await services.files.removeAll(sent.folder);
  else if (sent.draft.access_type === openToAll) services.nudgeDrawing();
  return id;
}

async function issue(
  services: Services,
  { actor, write }: Issuer,
  { draft, received, folder, key, signal }: IssueRequest,
) {
  const { db } = services;
  const request = { key, request_digest: requestDigest(draft, received) };
  const before = await findIssued(db, actor, request);
  if (before) return { id: before, isNew: false };
  await resolveOwnerAndGroup(db, actor, draft, "create");
  const pageFiles = await inspectAll(services, actorRequester(actor, signal), received);
  return write(async (transaction, actor) => {
    // The same draft sent twice at once: the first one's document is the answer to both.
    const first = await findIssued(transaction, actor, request);
    if (first) return { id: first, isNew: false };
    const number = await freeNumber(transaction, actor.company_id, draft.number);
    // Asked again: while the files were inspected, the owner's branch or the group may have been removed.
    const parties = await resolveOwnerAndGroup(transaction, actor, draft, "create");
    const row = { ...documentColumns(draft, parties), number, number_key: fold(number), folder };
    return { id: await insertDocument(transaction, services, actor, { row, draft, pageFiles, request }), isNew: true };
  });
}

type RequestIdentity = { key: string | undefined; request_digest: string };

/** What is the same when a draft is sent again: its fields, and the names and contents of its page files. */
const requestDigest = (draft: Draft, received: Received[]) =>
  createHash("sha256")
    .update(JSON.stringify([draft, received.map(({ name, sha256 }) => [name, sha256])]))
    .digest("hex");

/** Whether the actor has issued a document with a key. */
export async function isKeyUsed(db: Db, actor: Actor, key: string): Promise<boolean> {
  return (await documentsWithKey(db, actor, key).select("id").executeTakeFirst()) !== undefined;
}

const documentsWithKey = (db: Db, actor: Actor, key: string) =>
  db.selectFrom("documents").where("created_by", "=", actor.id).where("idempotency_key", "=", key);

/**
 * The id of the document that the actor issued with the same key. Throws 409 where they may no longer read it, 422 where
 * it came from another draft.
 */
async function findIssued(db: Db, actor: Actor, { key, request_digest }: RequestIdentity): Promise<number | undefined> {
  if (key === undefined) return undefined;
  const issued = await documentsWithKey(db, actor, key).select("id").executeTakeFirst();
  if (!issued) return undefined;
  const before = await findDocument(db, actor, issued.id);
  if (!before) {
    throw conflict("This draft was issued already, as a document that you may no longer see. Ask an administrator.");
  }
  if (before.request_digest !== null && before.request_digest !== request_digest) {
    const already = `This draft was issued already, as ${before.number}, and has been changed since.`;
    throw new HttpError(422, `${already} Look at that document; to issue another one, begin a new draft.`);
  }
  return before.id;
}

type OwnerAndGroup = { owner_id: number; branch_id: number | null; access_group_id: number | null };
/** The owner that a document has, with the branch that it was issued at. */
type CurrentOwner = { owner_id: number; branch_id: number | null; email_key: string };
type OwnerAndGroupNames = { email: string; users_access_group: string };

/** Whose document it is and which group sees it; the branch is its owner's. Refuses names that don't exist. */
export async function resolveOwnerAndGroup(
  db: Db,
  actor: Actor,
  named: OwnerAndGroupNames,
  right: "create" | "write",
  before?: CurrentOwner,
): Promise<OwnerAndGroup> {
  // An owner who stays is not asked about again: since then they may have moved, or left.
  const isSame = before && before.email_key === fold(named.email);
  const owner = isSame ? before : await findOwner(db, actor, named.email, right);
  const group = await groupNamed(db, actor.company_id, named.users_access_group);
  const isEveryone = fold(named.users_access_group) === fold(everyone);
  const errors: Record<string, string> = {};
  if (!owner) errors.email = "Enter the email of somebody whose documents you may make";
  if (!group && !isEveryone) errors.users_access_group = "Choose an access group of your company";
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { owner_id: owner!.owner_id, branch_id: owner!.branch_id, access_group_id: group?.id ?? null };
}

const findOwner = (db: Db, actor: Actor, email: string, right: "create" | "write") =>
  db
    .selectFrom("users")
    .where("email_key", "=", fold(email))
    .where("active", "=", 1)
    .where(usersWithin(actor, "docs", right))
    .select(["id as owner_id", "branch_id"])
    .executeTakeFirst();

/** The columns that a draft and a later change both set. */
export const documentColumns = (fields: Omit<Draft, "number">, parties: OwnerAndGroup) => ({
  ...parties,
  name: fields.name,
  name_key: fold(fields.name),
  document_type: fields.document_type,
  document_subtype: fields.document_subtype,
  access_type: fields.access_type,
  date: fields.date,
  expire_type: fields.expire_type,
  expire_date: fields.expire_type === "date" ? fields.expire_date : null,
  prolongation: fields.prolongation ? 1 : 0,
  qr_placing: fields.qr_placing,
});

/** Checks every page file by its content. All refusals come at once, each naming its file. */
async function inspectAll(services: Services, requester: Requester, received: Received[]): Promise<PageFile[]> {
  if (received.length === 0) throw invalid({ files: "Add at least one page file" });
  const inspected: PageFile[] = [];
  const refusals: string[] = [];
  for (const file of received) {
    if (file.truncated) {
      const refusal = `“${file.name}” ${tooLarge}`;
      throw new HttpError(413, refusal, { errors: { files: [refusal] } });
    }
    const result = await inspectStored(services, requester, file.key);
    if ("refused" in result) {
      refusals.push(`“${file.name}” ${result.refused}`);
      continue;
    }
    inspected.push({ ...file, ...result });
  }
  if (refusals.length > 0) throw invalid({ files: refusals });
  return inspected;
}

async function freeNumber(db: Db, companyId: number, wanted: string) {
  const isTaken = (number: string) =>
    db
      .selectFrom("documents")
      .where("company_id", "=", companyId)
      .where("number_key", "=", fold(number))
      .select("id")
      .executeTakeFirst();
  if (wanted) {
    if (await isTaken(wanted)) throw invalid({ number: `The number ${wanted} is already used: choose another` });
    return wanted;
  }
  let number = newNumber();
  while (await isTaken(number)) number = newNumber();
  return number;
}

/** A number that no document of the company has yet, to propose in a form. */
export const proposedNumber = (db: Db, companyId: number) => freeNumber(db, companyId, "");

type New = {
  row: ReturnType<typeof documentColumns> & { number: string; number_key: string; folder: string };
  draft: Draft;
  pageFiles: PageFile[];
  request: RequestIdentity;
};

async function insertDocument(db: Db, services: Services, actor: Actor, { row, draft, pageFiles, request }: New) {
  const at = services.now();
  const pages = pageFiles.reduce((sum, file) => sum + file.pages, 0);
  const bytes = pageFiles.reduce((sum, file) => sum + file.bytes, 0);
  const { id } = await db
    .insertInto("documents")
    .values({
      ...row,
      company_id: actor.company_id,
      code: newCode(),
      first_expire_date: row.expire_date,
      status: "active",
      status_before_archive: null,
      pages,
      idempotency_key: request.key ?? null,
      request_digest: request.request_digest,
      created_by: actor.id,
      created_at: at.toISOString(),
      version: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertCustomFields(db, id, draft.custom_fields);
  await db
    .insertInto("page_files")
    .values(
      pageFiles.map(({ name, type, bytes, pages, width, height, sha256 }, index) => {
        const kept = { name, type, bytes, pages, width, height, sha256 };
        return { document_id: id, n: index + 1, ...kept };
      }),
    )
    .execute();
  await db
    .updateTable("companies")
    .set((eb) => ({
      documents: eb("documents", "+", 1),
      pages: eb("pages", "+", pages),
      stored_bytes: eb("stored_bytes", "+", bytes),
    }))
    .where("id", "=", actor.company_id)
    .execute();
  await enforceQuota(services, db, actor.company_id);
  await markPastReminders(db, id, row.expire_date, dateIn(actor.timezone, at));
  if (row.access_type === openToAll) await queueDrawing(db, { id, company_id: actor.company_id });
  const subject = { entity: "document", id, name: row.name } as const;
  await audit(db, actor, "issued", subject, { at, after: await auditedDocument(db, id) });
  return id;
}

/** Writes a document's custom fields in their order. */
export async function insertCustomFields(db: Db, documentId: number, fields: Draft["custom_fields"]) {
  if (fields.length === 0) return;
  await db
    .insertInto("custom_fields")
    .values(fields.map(({ name, value }, index) => ({ document_id: documentId, n: index + 1, name, value })))
    .execute();
}
