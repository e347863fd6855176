import type { Received } from "#lib/intake/form-body.ts";
import { inspectStored } from "#lib/page-files/derived-files.ts";
import { type Inspected, tooLarge } from "#lib/page-files/file-types.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import type { Actor } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import { enforceQuota } from "../company/storage.ts";
import { openToAll } from "../contract/document-options.ts";
import type { NewDocument } from "../contract/document-form.ts";
import { audit, type Values } from "../audit/audit-queries.ts";
import { auditedDocument } from "./document-queries.ts";
import type { Db } from "../db/tables.ts";
import { actorRequester } from "../files/requesters.ts";
import { nameHost } from "../hosts/host-queries.ts";
import { HttpError, invalid } from "../http/errors.ts";
import { requireTypable, takeNumber } from "../number-ranges/range-numbers.ts";
import { findResent, holdDraft, type StoredPageFile } from "../releases/hold.ts";
import { heldBy } from "../releases/release-rules.ts";
import { tellRecipients } from "../recipients/recipients.ts";
import { queueSealing } from "../seal/seal-queue.ts";
import type { Services } from "../services.ts";
import { noteChangedExpiry } from "../webhooks/expiries.ts";
import { enqueueEvent } from "../webhooks/enqueue.ts";
import { newCode } from "./codes.ts";
import { insertCopies } from "./copies/copies.ts";
import { documentColumns, insertCustomFields, resolveOwnerAndGroup } from "./columns.ts";
import { findIssued, type Issued, type RequestIdentity, requestDigest } from "./idempotency.ts";
import { numberColumns } from "./numbers.ts";
import { queueDrawing } from "./open-pages.ts";
import { findReplaced, markReplaced } from "./replace.ts";
import { markPastReminders } from "./remind.ts";

/** Issuing: from a draft and its page files to a document with a number, a code and a seal. */

type ReceivedPageFile = Inspected & Received;

/** The actor when the request began, and a transaction in which their rights are read again. */
export type Issuer = {
  actor: Actor;
  write<T>(work: (transaction: Db, actor: Actor) => Promise<T>): Promise<T>;
};
type IssueRequest = {
  draft: NewDocument;
  received: Received[];
  folder: string;
  key: string | undefined;
  /** Aborts when the client is gone. */
  signal?: AbortSignal;
  /** The requester of page work, if no request waits for it. */
  requester?: Requester;
  /** Runs in the transaction that issues the document, holds it back, or finds it. */
  note?(transaction: Db, issued: Issued): Promise<void>;
};

/**
 * Issues a document from a draft whose files are in the store below `folder`, or holds it back until it is released.
 * Returns which, or what the actor issued or drafted with the same key before.
 */
export async function issueDocument(services: Services, issuer: Issuer, request: IssueRequest): Promise<Issued> {
  const { isNew, ...issued } = await issue(services, issuer, request);
  if (!isNew) await services.files.removeAll(request.folder);
  else if ("document" in issued) nudgeAfterIssue(services, request.draft);
  return issued;
}

/** After the transaction that issued a document. */
export function nudgeAfterIssue(services: Services, { access_type }: Pick<NewDocument, "access_type">) {
  services.nudgeSealing();
  if (access_type === openToAll) services.nudgeDrawing();
}

type Checked = Pick<NewDocument, "number" | "email" | "users_access_group" | "release">;

/** Whether a document can be issued with a number, owner and access group. Throws 422 with all that is refused. */
export async function checkIssuable({ db, now }: Services, actor: Actor, { number, release, ...names }: Checked) {
  const isReserved = number !== "" && number === (await findResent(db, actor, { release }))?.number;
  const refusals = await Promise.all([
    refusedFields(number && !isReserved ? requireTypable(db, actor, number, now()) : undefined),
    refusedFields(resolveOwnerAndGroup(db, actor, names, { right: "create" })),
  ]);
  const errors = Object.assign({}, ...refusals) as Record<string, string[]>;
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const refusedFields = async (checked: Promise<unknown> | undefined) => {
  try {
    await checked;
    return {};
  } catch (error) {
    if (error instanceof HttpError && error.errors) return error.errors;
    throw error;
  }
};

async function issue(services: Services, { actor, write }: Issuer, request: IssueRequest) {
  const { db } = services;
  const { draft, received, folder, key, signal, requester = actorRequester(actor, signal), note } = request;
  const identity = { key, request_digest: requestDigest(draft, received) };
  const issued = await findIssued(db, actor, identity);
  if (issued) return { ...issued, isNew: false };
  await resolveOwnerAndGroup(db, actor, draft, { right: "create" });
  await findReplaced(db, actor, draft);
  const pageFiles = await inspectAll(services, requester, received);
  return write(async (transaction, actor) => {
    // Of two requests with one key at once, the second gets the first one's document.
    const issued = await findIssued(transaction, actor, identity);
    if (issued) await note?.(transaction, issued);
    if (issued) return { ...issued, isNew: false };
    const resent = await findResent(transaction, actor, draft);
    const typed = draft.number !== resent?.number && draft.number;
    if (typed) await requireTypable(transaction, actor, typed, services.now());
    // Again: while the files were inspected, branch or group may have been removed.
    const ownerAndGroup = await resolveOwnerAndGroup(transaction, actor, draft, { right: "create" });
    const replaced = await findReplaced(transaction, actor, draft);
    const numbered = { ...draft, ...ownerAndGroup };
    const number = draft.number || (resent?.number ?? (await takeNumber(transaction, actor, numbered, services.now())));
    const row = { ...documentColumns(draft, ownerAndGroup), ...numberColumns(number), folder };
    const rows = { row, draft, pageFiles, identity, replaced };
    const { releasers: needed } = await heldBy(transaction, actor, { draft: numbered, replaced, resent });
    const made =
      needed > 0
        ? { release: await holdDraft(services, transaction, actor, { ...rows, needed, resent }) }
        : { document: await insertDocument(transaction, services, actor, rows) };
    await note?.(transaction, made);
    return { ...made, isNew: true };
  });
}

/** Inspects every page file by its content. Throws 422 with all refusals at once, each naming its file. */
async function inspectAll(services: Services, requester: Requester, received: Received[]): Promise<ReceivedPageFile[]> {
  if (received.length === 0) throw invalid({ files: "Add at least one page file" });
  const inspected: ReceivedPageFile[] = [];
  const refusals: string[] = [];
  for (const file of received) {
    if (file.truncated) {
      const refusal = `“${file.name}” ${tooLarge}`;
      throw new HttpError(413, refusal, { errors: { files: [refusal] } });
    }
    const result = await inspectStored(services, requester, file.key);
    if ("refused" in result) refusals.push(`“${file.name}” ${result.refused}`);
    else inspected.push({ ...file, ...result });
  }
  if (refusals.length > 0) throw invalid({ files: refusals });
  return inspected;
}

type NewDocumentRows = {
  row: ReturnType<typeof documentColumns> & ReturnType<typeof numberColumns> & { folder: string };
  draft: Pick<NewDocument, "copies" | "custom_fields">;
  pageFiles: StoredPageFile[];
  identity: RequestIdentity;
  replaced: Awaited<ReturnType<typeof findReplaced>>;
  /** Who drafted it and who released it, if these are others. */
  release?: { drafter_id: number; persons: Values };
};

/** Nothing else makes a document: `issue` holds back what the company's rules do, and `releases/` lets it go. */
export async function insertDocument(
  db: Db,
  services: Services,
  actor: Actor,
  { row, draft, pageFiles, identity, replaced, release }: NewDocumentRows,
) {
  const at = services.now();
  const pages = pageFiles.reduce((sum, file) => sum + file.pages, 0);
  const bytes = pageFiles.reduce((sum, file) => sum + file.bytes, 0);
  const [code, { copies }] = [newCode(), draft];
  const { id } = await db
    .insertInto("documents")
    .values({
      ...row,
      company_id: actor.company_id,
      host_id: await nameHost(db, actor.company_id),
      code,
      copies,
      first_expire_date: row.expire_date,
      status: "active",
      status_before_archive: null,
      pages,
      idempotency_key: identity.key ?? null,
      request_digest: identity.request_digest,
      created_by: release?.drafter_id ?? actor.id,
      created_at: at.toISOString(),
      version: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertCopies(db, { id, code, copies });
  await insertCustomFields(db, id, draft.custom_fields);
  await insertPageFiles(db, id, pageFiles);
  await countDocument(db, actor.company_id, { pages, bytes });
  await enforceQuota(services, db, actor.company_id, { furtherSeals: (copies - 1) * bytes });
  await markPastReminders(db, id, row.expire_date, dateIn(actor.timezone, at));
  await queueSealing(db, actor.company_id, [id]);
  if (row.access_type === openToAll) await queueDrawing(db, { id, company_id: actor.company_id });
  const { company_id } = actor;
  if (replaced) {
    await markReplaced(db, actor, replaced, { id, at });
    await tellRecipients(services, db, replaced);
    const data = { document_id: replaced.id, replaced_by_id: id };
    await enqueueEvent(services, db, { type: "document.replaced", data, company_id, at });
  }
  const subject = { entity: "document", id, name: row.name } as const;
  const after = { ...(await auditedDocument(db, id)), ...release?.persons };
  await audit(db, { actor, action: "issued", subject, at, after });
  await enqueueEvent(services, db, { type: "document.issued", data: { document_id: id }, company_id, at });
  const validity = { status: "active", expire_date: row.expire_date } as const;
  await noteChangedExpiry(services, db, { id, company_id }, { after: validity });
  return id;
}

const insertPageFiles = (db: Db, documentId: number, pageFiles: StoredPageFile[]) =>
  db
    .insertInto("page_files")
    .values(
      pageFiles.map(({ name, type, bytes, pages, width, height, sha256, notes, covered }, index) => {
        const columns = { name, type, bytes, pages, width, height, sha256, covered, notes: JSON.stringify(notes) };
        return { document_id: documentId, n: index + 1, ...columns };
      }),
    )
    .execute();

/** Adds a document to its company's counters. */
const countDocument = (db: Db, companyId: number, { pages, bytes }: { pages: number; bytes: number }) =>
  db
    .updateTable("companies")
    .set((eb) => ({
      documents: eb("documents", "+", 1),
      pages: eb("pages", "+", pages),
      stored_bytes: eb("stored_bytes", "+", bytes),
    }))
    .where("id", "=", companyId)
    .execute();
