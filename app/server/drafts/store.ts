import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import type { Kysely, Selectable } from "kysely";
import { storedPageImage, removePageFile } from "#page-files/derived-files.ts";
import type { PageImageSize } from "#page-files/kinds.ts";
import type { Requester } from "#page-files/requesters.ts";
import { daysInMs } from "#units";
import type { Picture } from "../provider/client-types.ts";
import { resources } from "../process/resources.ts";
import { withLock } from "./lock.ts";
import { type DraftUsage, mustBeShort, mustHaveRoomForDraft, usageOf } from "./quota.ts";
import type { DraftTables } from "./tables.ts";
import { unfinishedDrafts } from "./unfinished.ts";

/** Where documents in the making are kept (`drafts.ts`). */

export type CustomField = { name: string; value: string };

/** What was typed so far, by the contract's field names; a name that is missing was not asked for yet. */
export type DraftValues = Partial<
  Record<
    | "document_type"
    | "document_subtype"
    | "number"
    | "date"
    | "name"
    | "email"
    | "expire_type"
    | "expire_date"
    | "access_type"
    | "users_access_group"
    | "prolongation"
    | "qr_placing",
    string
  >
> & {
  custom_fields?: CustomField[];
  /** One that is half typed. */
  added_field?: CustomField;
};

/** A page file of a draft. Sizes are of its first page. */
export type DraftFile = Omit<Selectable<DraftTables["draft_files"]>, "draft_id" | "n">;

export type Draft = {
  id: string;
  userId: number;
  values: DraftValues;
  files: DraftFile[];
  /** What the provider refused when the draft was to be issued, by field name. */
  refusal: Record<string, string[]>;
  version: number;
  updatedAt: string;
  /** Once issued: the id of the document, or null where the provider did not tell it. */
  issued: { documentId: number | null } | undefined;
};

const lifetimeMs = daysInMs(7);

export const tables = async () => (await resources()).database.tables<DraftTables>();

const stamps = (now = Date.now()) => ({
  updated_at: new Date(now).toISOString(),
  expires_at: new Date(now + lifetimeMs).toISOString(),
});

/** What a user's drafts take and may take. */
export const draftUsage = async (userId: number): Promise<DraftUsage> => usageOf(await tables(), userId);

/** Begins a draft and returns its id. Throws a failure where the user has as many as they may. */
export async function createDraft(userId: number, values: DraftValues): Promise<string> {
  const id = randomUUID();
  const typed = JSON.stringify(values);
  mustBeShort(typed);
  const row = { id, user_id: userId, values: typed, refusal: null, version: 1, ...stamps() };
  await withLock(await tables(), userLock(userId), async (db) => {
    await mustHaveRoomForDraft(db, userId);
    await db
      .insertInto("drafts")
      .values({ ...row, issued_at: null, document_id: null })
      .execute();
  });
  return id;
}

/** The name of the transactions that count what a user has (`lock.ts`). */
export const userLock = (userId: number) => `user ${userId}`;

/** A user's draft with its page files in order, or undefined: unknown, expired and others' are all alike. */
export async function findDraft(userId: number, id: string): Promise<Draft | undefined> {
  const db = await tables();
  const row = await ofUser(db, userId).where("id", "=", id).executeTakeFirst();
  return row && asDraft(row, await filesOf(db, id));
}

/** All of a user's unfinished drafts, the newest first. */
export async function listDrafts(userId: number): Promise<Draft[]> {
  const rows = await unfinishedDrafts(await tables(), userId)
    .selectAll()
    .orderBy("updated_at", "desc")
    .execute();
  return rows.map((row) => asDraft(row, []));
}

const ofUser = (db: Kysely<DraftTables>, userId: number) =>
  db.selectFrom("drafts").selectAll().where("user_id", "=", userId).where("expires_at", ">", new Date().toISOString());

const filesOf = (db: Kysely<DraftTables>, id: string): Promise<DraftFile[]> =>
  db
    .selectFrom("draft_files")
    .where("draft_id", "=", id)
    .orderBy("n")
    .select(["key", "name", "type", "bytes", "pages", "width", "height"])
    .execute();

const asDraft = (row: Selectable<DraftTables["drafts"]>, files: DraftFile[]): Draft => ({
  id: row.id,
  userId: row.user_id,
  values: JSON.parse(row.values) as DraftValues,
  files,
  refusal: row.refusal ? (JSON.parse(row.refusal) as Draft["refusal"]) : {},
  version: row.version,
  updatedAt: row.updated_at,
  issued: row.issued_at ? { documentId: row.document_id } : undefined,
});

/**
 * Adds to what was typed, without the refusals of those fields. Returns the draft as it is now, or undefined where it was
 * saved elsewhere since it was read: then nothing is changed.
 */
export async function saveDraft(draft: Draft, changes: DraftValues): Promise<Draft | undefined> {
  const values = { ...draft.values, ...changes };
  const text = JSON.stringify(values);
  mustBeShort(text);
  const refusal = Object.fromEntries(
    Object.entries(draft.refusal).filter(
      ([field]) => !Object.keys(changes).some((changed) => concerns(field, changed)),
    ),
  );
  const { numUpdatedRows } = await (
    await tables()
  )
    .updateTable("drafts")
    .set((eb) => ({
      version: eb("version", "+", 1),
      values: text,
      refusal: asJson(refusal),
      ...stamps(),
    }))
    .where("id", "=", draft.id)
    .where("version", "=", draft.version)
    .where("issued_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? { ...draft, values, refusal, version: draft.version + 1 } : undefined;
}

/** Whether an error's name belongs to a field: `custom_fields[0][name]` to `custom_fields`. */
export const concerns = (error: string, field: string) => error === field || error.startsWith(`${field}[`);

const asJson = (refusal: Draft["refusal"]) => (Object.keys(refusal).length > 0 ? JSON.stringify(refusal) : null);

/** Notes what the provider refused, for the steps that can put it right. */
export async function noteRefusal(draft: Draft, refusal: Draft["refusal"]) {
  await (
    await tables()
  )
    .updateTable("drafts")
    .set({ refusal: asJson(refusal), ...stamps() })
    .where("id", "=", draft.id)
    .execute();
}

/** Ends a draft whose document is issued. What is left knows where to send whoever comes back to it. */
export async function finishDraft(draft: Draft, documentId: number | null) {
  const db = await tables();
  await db
    .updateTable("drafts")
    .set({ issued_at: new Date().toISOString(), document_id: documentId, values: "{}", refusal: null })
    .where("id", "=", draft.id)
    .execute();
  await removeFiles(db, draft.id);
}

/** Removes a draft and its page files. */
export async function discardDraft(draft: Draft) {
  const db = await tables();
  await removeFiles(db, draft.id);
  await db.deleteFrom("drafts").where("id", "=", draft.id).execute();
}

async function removeFiles(db: Kysely<DraftTables>, id: string) {
  await db.deleteFrom("draft_files").where("draft_id", "=", id).execute();
  await (await resources()).files.removeAll(folderOf(id));
}

/** Where the page files of a draft are. */
export const folderOf = (id: string) => `drafts/${id}`;

/** Puts a draft's page files into the order of `keys`; those that it does not name follow as they were. */
export async function orderFiles(draft: Draft, keys: string[]) {
  const place = ({ key }: DraftFile) => (keys.includes(key) ? keys.indexOf(key) : keys.length);
  const ordered = draft.files.toSorted((a, b) => place(a) - place(b));
  await (await tables()).transaction().execute(async (transaction) => {
    for (const [index, { key }] of ordered.entries()) {
      const update = transaction.updateTable("draft_files").set({ n: index + 1 });
      await update.where("key", "=", key).where("draft_id", "=", draft.id).execute();
    }
  });
}

/** Takes a page file out of a draft. */
export async function removeFile(draft: Draft, key: string) {
  const file = draft.files.find((file) => file.key === key);
  if (!file) return;
  await (await tables()).deleteFrom("draft_files").where("key", "=", key).execute();
  await removePageFile((await resources()).files, key);
}

/** Sends a draft's page files; they are read from the disk meanwhile. */
export async function sendPages<T>({ files }: Draft, send: (pages: Picture[]) => Promise<T>): Promise<T> {
  const { files: store } = await resources();
  const keys = files.map(({ key }) => key);
  return store.withLocalPaths(keys, async (paths) => {
    const contents = await Promise.all(paths.map((path, n) => openAsBlob(path, { type: files[n]!.type })));
    return send(contents.map((content, n) => ({ name: files[n]!.name, content })));
  });
}

/** An image of a page (from 1) of a draft's page file, as WebP. */
export async function draftPageImage(requester: Requester, file: DraftFile, page: number, size: PageImageSize) {
  const stores = await resources();
  const key = await storedPageImage(stores, requester, { ...file, page, size });
  return { bytes: await stores.files.size(key), content: await stores.files.stream(key) };
}
