import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { inspectStored, removePageFile } from "#lib/page-files/derived-files.ts";
import { limits } from "#lib/page-files/file-types.ts";
import { PageWorkBusy } from "#lib/page-files/refusals.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import { discardBody } from "#lib/storage/files/discard-body.ts";
import { type Fields, FormRefused, fieldsFrom } from "#lib/intake/fields.ts";
import { declaredBytes, receiveForm } from "#lib/intake/form-body.ts";
import { formOverheadBytes } from "#lib/intake/multipart.ts";
import { logStorageFailure, storageFailureOf } from "#lib/storage/database/failures.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { onPage, refuseForm } from "../forms/forms.ts";
import { log } from "../process/log.ts";
import { failure } from "../provider/failure.ts";
import { resources } from "../process/resources.ts";
import { noteForm } from "../request/request-context.ts";
import { storageFailureWords } from "../user-failure.ts";
import { withLock } from "./lock.ts";
import { hasRoomFor, noRoomMessage, roomLeft } from "./quota.ts";
import { type Draft, folderOf, draftDb, userLock } from "./store.ts";

/** `added` counts files; `refused` has a sentence for each of the others. */
export type ReceivedPages = { fields: Fields; added: number; refused: string[] };

type Receiving = { schema: z.ZodObject; requester: Requester; confirm: () => Promise<unknown> };

/** Uploads may take minutes, so `confirm` checks the sender after them; if it throws, no file is added. */
export async function receivePages(request: Request, draft: Draft, receiving: Receiving): Promise<ReceivedPages> {
  const room = await roomLeft(draftDb(), draft.userId);
  const before = draft.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const documentBytes = limits.documentBytes - before;
  const totalBytes = Math.min(documentBytes, room.left);
  const declared = declaredBytes(request) ?? 0;
  const isQuotaShort = totalBytes < documentBytes;
  if (isQuotaShort && declared > totalBytes + formOverheadBytes) {
    await discardBody(request);
    return nothingAdded(await noRoomMessage(draftDb(), draft.userId, draft.id));
  }
  const release = room.reserve(declared || totalBytes);
  try {
    return await receiveInto(request, draft, { ...receiving, totalBytes, isQuotaShort });
  } finally {
    release();
  }
}

const nothingAdded = (reason: string): ReceivedPages => ({
  fields: fieldsFrom([]),
  added: 0,
  refused: [reason],
});

type UploadSpace = { totalBytes: number; isQuotaShort: boolean };

async function receiveInto(request: Request, draft: Draft, receiving: Receiving & UploadSpace): Promise<ReceivedPages> {
  const { files: store } = resources();
  const { schema, requester, confirm, totalBytes, isQuotaShort } = receiving;
  const folder = `${folderOf(draft.id)}/${randomUUID()}`;
  let form;
  try {
    await store.ensureSpace(declaredBytes(request) ?? 0);
    const files = limits.files - draft.files.length;
    const upload = { files: store, folder, field: "files", limits: { fileBytes: limits.fileBytes, files, totalBytes } };
    form = await receiveForm(request, onPage([schema]), upload);
  } catch (error) {
    const failed = storageFailureOf(error);
    if (failed) {
      // An aborted upload looks like a storage failure.
      if (!request.signal.aborted) logStorageFailure(log, error, failed);
      await discardBody(request);
      return nothingAdded(storageFailureWords[failed]);
    }
    if (!(error instanceof FormRefused) || error.reason === "control field") return refuseForm(error);
    if (isQuotaShort && error.reason === "too large") {
      return nothingAdded(await noRoomMessage(draftDb(), draft.userId, draft.id));
    }
    return nothingAdded(wholeRefusals[error.reason]);
  }
  noteForm(form.fields);
  try {
    await confirm();
  } catch (error) {
    await store.removeAll(folder);
    throw error;
  }
  const refused: string[] = [];
  for (const file of form.received) {
    const refusal = file.truncated
      ? t("server.drafts.receive.fileTooLarge", { name: file.name, megabytes: inMegabytes(limits.fileBytes) })
      : await addFile(draft, requester, file);
    if (!refusal) continue;
    refused.push(refusal);
    await removePageFile(store, file.key);
  }
  return { fields: form.fields, added: form.received.length - refused.length, refused };
}

/** Adds a page file that the provider has given back. Throws a failure if it can't be added. */
export async function addStoredPage(
  draft: Draft,
  requester: Requester,
  { name, content }: { name: string; content: Readable },
) {
  const { files: store } = resources();
  const key = `${folderOf(draft.id)}/${randomUUID()}/1`;
  const { bytes } = await store.put(key, content);
  const refusal = await addFile(draft, requester, { key, name, bytes });
  if (!refusal) return;
  await removePageFile(store, key);
  throw failure(409, { kind: "refused", message: refusal });
}

const inMegabytes = (bytes: number) => bytes / mebibytesInBytes(1);

const wholeRefusals: Record<Exclude<FormRefused["reason"], "control field">, string> = {
  "too large": t("server.drafts.receive.tooLargeTogether", {
    megabytes: inMegabytes(limits.documentBytes),
  }),
  "too many files": t("server.drafts.receive.tooManyFiles", { files: limits.files }),
  "too many fields": t("server.drafts.receive.tooManyFields"),
  malformed: t("server.drafts.receive.didNotArriveWhole"),
};

type Stored = { key: string; name: string; bytes: number };

/** Returns why a file was not added, as a sentence. */
async function addFile(draft: Draft, requester: Requester, { key, name, bytes }: Stored): Promise<string | undefined> {
  const inspected = await inspectStored(resources(), requester, key).catch((error: unknown) => {
    if (error instanceof PageWorkBusy) return undefined;
    throw error;
  });
  if (!inspected) return t("server.drafts.receive.fileTooBusy", { name });
  if ("refused" in inspected) return t("server.drafts.receive.fileRefused", { name, reason: inspected.refused });
  return withLock(draftDb(), userLock(draft.userId), async (db) => {
    const { count, last } = await db
      .selectFrom("draft_files")
      .where("draft_id", "=", draft.id)
      .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("n").as("last")])
      .executeTakeFirstOrThrow();
    // Other uploads may have added files meanwhile.
    if (count >= limits.files) return t("server.drafts.receive.fileTooManyFiles", { name, files: limits.files });
    if (!(await hasRoomFor(db, draft.userId, { bytes, pages: inspected.pages }))) {
      const advice = await noRoomMessage(db, draft.userId, draft.id);
      return t("server.drafts.receive.fileNoRoom", { name, advice });
    }
    const notes = JSON.stringify(inspected.notes);
    const row = { key, name, bytes, ...inspected, notes, readings: null, draft_id: draft.id, n: (last ?? 0) + 1 };
    await db.insertInto("draft_files").values(row).execute();
    return undefined;
  });
}
