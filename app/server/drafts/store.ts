import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import type { Kysely, Selectable } from "kysely";
import { storedPageImage, removePageFile } from "#lib/page-files/derived-files.ts";
import type { PageImageSize } from "#lib/page-files/file-types.ts";
import { noteSentences } from "#lib/page-files/notes/notes.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { daysInMs } from "#lib/units.ts";
import type { Picture } from "../provider/client-types.ts";
import { resources } from "../process/resources.ts";
import { withLock } from "./lock.ts";
import { type DraftUsage, mustBeShort, mustHaveRoomForDraft, usageOf } from "./quota.ts";
import type { DraftTables } from "./tables.ts";
import { unfinishedDrafts } from "./unfinished.ts";

export type CustomField = { name: string; value: string };

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
    | "qr_placing"
    | "copies"
    | "replaces"
    | "replaces_number"
    | "replaces_version"
    | "release"
    | "release_version",
    string
  >
> & {
  custom_fields?: CustomField[];
  /** A custom field that is not added yet. */
  added_field?: CustomField;
};

/** Sizes are of the first page; `notes` are sentences on what the sealed PDF will not have. */
export type DraftFile = Omit<Selectable<DraftTables["draft_files"]>, "draft_id" | "n" | "notes" | "readings"> & {
  notes: string[];
};

export type Draft = {
  id: string;
  userId: number;
  values: DraftValues;
  files: DraftFile[];
  /** What the provider refused at last, by field name; what it refused of no field under `""`. */
  refusal: Record<string, string[]>;
  version: number;
  updatedAt: string;
  /** `documentId` is null if the provider returned none. */
  issued: { documentId: number | null } | undefined;
};

const lifetimeMs = daysInMs(7);

export const draftDb = () => resources().database.tables<DraftTables>();

const stamps = (now = Date.now()) => ({
  updated_at: new Date(now).toISOString(),
  expires_at: new Date(now + lifetimeMs).toISOString(),
});

export const draftUsage = async (userId: number): Promise<DraftUsage> => usageOf(draftDb(), userId);

export async function createDraft(userId: number, values: DraftValues): Promise<string> {
  const id = randomUUID();
  const json = JSON.stringify(values);
  mustBeShort(json);
  const row = { id, user_id: userId, values: json, refusal: null, version: 1, ...stamps() };
  await withLock(draftDb(), userLock(userId), async (db) => {
    await mustHaveRoomForDraft(db, userId);
    await db
      .insertInto("drafts")
      .values({ ...row, issued_at: null, document_id: null })
      .execute();
  });
  return id;
}

export const userLock = (userId: number) => `user ${userId}`;

/** Undefined if the draft is unknown, expired or another user's. */
export async function findDraft(userId: number, id: string): Promise<Draft | undefined> {
  const db = draftDb();
  const row = await ofUser(db, userId).where("id", "=", id).executeTakeFirst();
  return row && asDraft(row, await filesOf(db, id));
}

/** Newest first, without page files. */
export async function listDrafts(userId: number): Promise<Draft[]> {
  const rows = await unfinishedDrafts(draftDb(), userId).selectAll().orderBy("updated_at", "desc").execute();
  return rows.map((row) => asDraft(row, []));
}

const ofUser = (db: Kysely<DraftTables>, userId: number) =>
  db.selectFrom("drafts").selectAll().where("user_id", "=", userId).where("expires_at", ">", new Date().toISOString());

async function filesOf(db: Kysely<DraftTables>, id: string): Promise<DraftFile[]> {
  const files = await db
    .selectFrom("draft_files")
    .where("draft_id", "=", id)
    .orderBy("n")
    .select(["key", "name", "type", "bytes", "pages", "width", "height", "notes", "covered"])
    .execute();
  const isAlone = files.length === 1;
  return files.map((file) => ({
    ...file,
    notes: noteSentences(file.name, JSON.parse(file.notes) as string[], isAlone),
  }));
}

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

/** Returns the new draft; undefined if it was changed or issued meanwhile. */
export async function saveDraft(draft: Draft, changes: DraftValues): Promise<Draft | undefined> {
  const values = { ...draft.values, ...changes };
  const json = JSON.stringify(values);
  mustBeShort(json);
  // Refusals of no field hold for the draft as it was.
  const refusal = Object.fromEntries(
    Object.entries(draft.refusal).filter(
      ([field]) => field !== "" && !Object.keys(changes).some((changed) => concerns(field, changed)),
    ),
  );
  const { numUpdatedRows } = await draftDb()
    .updateTable("drafts")
    .set((eb) => ({
      version: eb("version", "+", 1),
      values: json,
      refusal: asJson(refusal),
      ...stamps(),
    }))
    .where("id", "=", draft.id)
    .where("version", "=", draft.version)
    .where("issued_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? { ...draft, values, refusal, version: draft.version + 1 } : undefined;
}

/** Whether an error's name belongs to a field, as `custom_fields[0][name]` does to `custom_fields`. */
export const concerns = (error: string, field: string) => error === field || error.startsWith(`${field}[`);

const asJson = (refusal: Draft["refusal"]) => (Object.keys(refusal).length > 0 ? JSON.stringify(refusal) : null);

export async function noteRefusal(draft: Draft, refusal: Draft["refusal"]) {
  await draftDb()
    .updateTable("drafts")
    .set({ refusal: asJson(refusal), ...stamps() })
    .where("id", "=", draft.id)
    .execute();
}

/** The row stays, to redirect to the document. */
export async function finishDraft(draft: Draft, documentId: number | null) {
  const db = draftDb();
  await db
    .updateTable("drafts")
    .set({ issued_at: new Date().toISOString(), document_id: documentId, values: "{}", refusal: null })
    .where("id", "=", draft.id)
    .execute();
  await removeFiles(db, draft.id);
}

export async function discardDraft(draft: Draft) {
  const db = draftDb();
  await removeFiles(db, draft.id);
  await db.deleteFrom("drafts").where("id", "=", draft.id).execute();
}

async function removeFiles(db: Kysely<DraftTables>, id: string) {
  await db.deleteFrom("draft_files").where("draft_id", "=", id).execute();
  await resources().files.removeAll(folderOf(id));
}

export const folderOf = (id: string) => `drafts/${id}`;

export async function orderFiles(draft: Draft, keys: string[]) {
  const position = ({ key }: DraftFile) => (keys.includes(key) ? keys.indexOf(key) : keys.length);
  const ordered = draft.files.toSorted((a, b) => position(a) - position(b));
  await draftDb()
    .transaction()
    .execute(async (transaction) => {
      for (const [index, { key }] of ordered.entries()) {
        const update = transaction.updateTable("draft_files").set({ n: index + 1 });
        await update.where("key", "=", key).where("draft_id", "=", draft.id).execute();
      }
    });
}

export async function removeFile(draft: Draft, key: string) {
  const file = draft.files.find((file) => file.key === key);
  if (!file) return;
  await draftDb().deleteFrom("draft_files").where("key", "=", key).execute();
  await removePageFile(resources().files, key);
}

export async function sendPages<T>({ files }: Draft, send: (pages: Picture[]) => Promise<T>): Promise<T> {
  const { files: store } = resources();
  const keys = files.map(({ key }) => key);
  return store.withLocalPaths(keys, async (paths) => {
    const contents = await Promise.all(paths.map((path, n) => openAsBlob(path, { type: files[n]!.type })));
    return send(contents.map((content, n) => ({ name: files[n]!.name, content })));
  });
}

export async function draftPageImage(requester: Requester, file: DraftFile, page: number, size: PageImageSize) {
  const stores = resources();
  const key = await storedPageImage(stores, requester, { ...file, page, size });
  return { bytes: await stores.files.size(key), content: await stores.files.stream(key) };
}
