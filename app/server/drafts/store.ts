import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import type { Kysely, Selectable } from "kysely";
import type { z } from "zod";
import { limits, tooLarge, tooLargeTogether, tooMany } from "#page-files/kinds.ts";
import { inspectStored, keptDrawing, removePageFile } from "#page-files/kept.ts";
import type { DrawnSize } from "#page-files/kinds.ts";
import { FormRefused, type Fields, fieldsFrom } from "#intake/fields.ts";
import { receiveForm } from "#intake/form-body.ts";
import { PageWorkBusy } from "#page-files/refusals.ts";
import type { Requester } from "#page-files/requesters.ts";
import { troubleMessages, troubleOf } from "#storage/trouble.ts";
import { onPage, refuseForm } from "../forms.ts";
import { log } from "../log.ts";
import type { Picture } from "../provider/client.ts";
import { opened } from "../start.ts";
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
  values: DraftValues;
  files: DraftFile[];
  /** What the provider refused when the draft was to be issued, by field name. */
  refusal: Record<string, string[]>;
  version: number;
  updatedAt: string;
  /** Once issued: the id of the document, or null where the provider did not tell it. */
  issued: { documentId: number | null } | undefined;
};

const days = (n: number) => n * 24 * 60 * 60 * 1000;
const lifetime = days(7);

const tables = async () => (await opened()).database.tables<DraftTables>();

const stamps = (now = Date.now()) => ({
  updated_at: new Date(now).toISOString(),
  expires_at: new Date(now + lifetime).toISOString(),
});

/** Begins a draft and returns its id. */
export async function createDraft(userId: number, values: DraftValues): Promise<string> {
  const id = randomUUID();
  const row = { id, user_id: userId, values: JSON.stringify(values), refusal: null, version: 1, ...stamps() };
  await (
    await tables()
  )
    .insertInto("drafts")
    .values({ ...row, issued_at: null, document_id: null })
    .execute();
  return id;
}

/** A user's draft with its page files in order, or undefined: unknown, expired and others' are all alike. */
export async function findDraft(userId: number, id: string): Promise<Draft | undefined> {
  const db = await tables();
  const row = await ofUser(db, userId).where("id", "=", id).executeTakeFirst();
  return row && asDraft(row, await filesOf(db, id));
}

/** A user's unfinished drafts, the newest first. */
export async function listDrafts(userId: number): Promise<Draft[]> {
  const rows = await unfinishedDrafts(await tables(), userId)
    .selectAll()
    .orderBy("updated_at", "desc")
    .limit(20)
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
  values: JSON.parse(row.values) as DraftValues,
  files,
  refusal: row.refusal ? (JSON.parse(row.refusal) as Draft["refusal"]) : {},
  version: row.version,
  updatedAt: row.updated_at,
  issued: row.issued_at ? { documentId: row.document_id } : undefined,
});

/**
 * Adds to what was typed. Refusals of the fields that are saved again are forgotten. False where the draft was saved
 * elsewhere since `version`: then nothing is changed.
 */
export async function saveDraft(draft: Draft, changes: DraftValues, version = draft.version): Promise<boolean> {
  const values = { ...draft.values, ...changes };
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
      values: JSON.stringify(values),
      refusal: asJson(refusal),
      ...stamps(),
    }))
    .where("id", "=", draft.id)
    .where("version", "=", version)
    .where("issued_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
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
  await (await opened()).files.removeAll(folderOf(id));
}

const folderOf = (id: string) => `drafts/${id}`;

/** A posted form of the step with page files: its fields, how many were taken, and a sentence for each other. */
export type ReceivedPages = { fields: Fields; added: number; refused: string[] };

/** The fields that are read beside the files, and for whom those are opened. */
type Receiving = { schema: z.ZodObject; requester: Requester };

/** Reads a form with page files, which go to the store while they arrive and then to the end of the draft. */
export async function receivePages(
  request: Request,
  draft: Draft,
  { schema, requester }: Receiving,
): Promise<ReceivedPages> {
  const { files: store } = await opened();
  const before = draft.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const left = { files: limits.files - draft.files.length, totalBytes: limits.documentBytes - before };
  let form;
  try {
    const folder = `${folderOf(draft.id)}/${randomUUID()}`;
    const upload = { files: store, folder, field: "files", limits: { fileBytes: limits.fileBytes, ...left } };
    form = await receiveForm(request, onPage([schema]), upload);
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble) {
      // The same where a browser went away, which is nobody's trouble.
      if (!request.signal.aborted) log.error({ err: error }, `what the web app keeps: ${trouble}`);
      return { fields: fieldsFrom([]), added: 0, refused: [troubleMessages[trouble]] };
    }
    if (!(error instanceof FormRefused) || error.reason === "control field") return refuseForm(error);
    return { fields: fieldsFrom([]), added: 0, refused: [wholeRefusals[error.reason]] };
  }
  const refused: string[] = [];
  for (const file of form.received) {
    const reason = file.cut ? tooLarge : await addFile(draft, requester, file);
    if (!reason) continue;
    refused.push(`“${file.name}” ${reason}`);
    await removePageFile(store, file.key);
  }
  return { fields: form.fields, added: form.received.length - refused.length, refused };
}

const wholeRefusals: Record<Exclude<FormRefused["reason"], "control field">, string> = {
  "too large": `${tooLargeTogether}. None was added: choose fewer`,
  "too many files": `${tooMany}. None of these was added: choose fewer`,
  "too many fields": "The form has too many fields. None of these files was added",
  malformed: "The files did not arrive whole. Add them again",
};

const tooBusy = { refused: "can’t be opened just now, because many others wait: add it again in a moment" };

type Stored = { key: string; name: string; bytes: number };

/** Adds a stored file to the end of a draft, or returns why it can't be a page file. */
async function addFile(draft: Draft, requester: Requester, { key, name, bytes }: Stored): Promise<string | undefined> {
  const inspected = await inspectStored(await opened(), requester, key).catch((error: unknown) => {
    if (error instanceof PageWorkBusy) return tooBusy;
    throw error;
  });
  if ("refused" in inspected) return inspected.refused;
  const db = await tables();
  await db
    .insertInto("draft_files")
    .values((eb) => ({
      key,
      name,
      bytes,
      ...inspected,
      draft_id: draft.id,
      n: eb
        .selectFrom("draft_files")
        .where("draft_id", "=", draft.id)
        .select((count) => count(count.fn.coalesce(count.fn.max("n"), count.val(0)), "+", 1).as("n")),
    }))
    .execute();
  return undefined;
}

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
  await removePageFile((await opened()).files, key);
}

/** Sends a draft's page files; they are read from the disk meanwhile. */
export async function sendPages<T>({ files }: Draft, send: (pages: Picture[]) => Promise<T>): Promise<T> {
  const { files: store } = await opened();
  const keys = files.map(({ key }) => key);
  return store.atHand(keys, async (paths) => {
    const contents = await Promise.all(paths.map((path, n) => openAsBlob(path, { type: files[n]!.type })));
    return send(contents.map((content, n) => ({ name: files[n]!.name, content })));
  });
}

/** A drawing of a page (from 1) of a draft's page file, as a key in the store. */
export const drawDraftPage = async (requester: Requester, file: DraftFile, page: number, size: DrawnSize) =>
  keptDrawing(await opened(), requester, { ...file, page, size });
