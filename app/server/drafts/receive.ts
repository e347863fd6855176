import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { inspectStored, removePageFile } from "#page-files/derived-files.ts";
import { limits, tooLarge, tooLargeTogether, tooMany } from "#page-files/kinds.ts";
import { PageWorkBusy } from "#page-files/refusals.ts";
import type { Requester } from "#page-files/requesters.ts";
import { discardBody } from "#storage/discard-body.ts";
import { type Fields, FormRefused, fieldsFrom } from "#intake/fields.ts";
import { formOverheadBytes, declaredBytes, receiveForm } from "#intake/form-body.ts";
import { storageFailureMessages, storageFailureOf } from "#storage/failures.ts";
import { onPage, refuseForm } from "../forms/forms.ts";
import { log } from "../process/log.ts";
import { opened } from "../process/start.ts";
import { withLock } from "./lock.ts";
import { fitsQuota, quotaMessage, spaceLeft } from "./quota.ts";
import { type Draft, folderOf, tables, lockOf } from "./store.ts";

/** The fields of a form with page files, the number of added files, and a sentence for each other. */
export type ReceivedPages = { fields: Fields; added: number; refused: string[] };

type Receiving = { schema: z.ZodObject; requester: Requester; confirm: () => Promise<unknown> };

/** Adds uploaded page files to the draft, unless `confirm` throws: the sender is checked again, as uploads take minutes. */
export async function receivePages(request: Request, draft: Draft, receiving: Receiving): Promise<ReceivedPages> {
  const space = await spaceLeft(await tables(), draft.userId);
  const before = draft.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const ofDocument = limits.documentBytes - before;
  const totalBytes = Math.min(ofDocument, space.left);
  const declared = declaredBytes(request) ?? 0;
  const isShort = totalBytes < ofDocument;
  if (isShort && declared > totalBytes + formOverheadBytes) {
    await discardBody(request);
    return nothingAdded(await quotaMessage(await tables(), draft.userId, draft.id));
  }
  const end = space.reserve(declared || totalBytes);
  try {
    return await receiveInto(request, draft, { ...receiving, totalBytes, isShort });
  } finally {
    end();
  }
}

const nothingAdded = (reason: string): ReceivedPages => ({
  fields: fieldsFrom([]),
  added: 0,
  refused: [reason],
});

type Budget = {
  totalBytes: number;
  /** Less than a document may have. */
  isShort: boolean;
};

async function receiveInto(request: Request, draft: Draft, receiving: Receiving & Budget): Promise<ReceivedPages> {
  const { files: store } = await opened();
  const { schema, requester, confirm, totalBytes, isShort } = receiving;
  const folder = `${folderOf(draft.id)}/${randomUUID()}`;
  let form;
  try {
    await store.ensureSpace(declaredBytes(request) ?? 0);
    const files = limits.files - draft.files.length;
    const upload = { files: store, folder, field: "files", limits: { fileBytes: limits.fileBytes, files, totalBytes } };
    form = await receiveForm(request, onPage([schema]), upload);
  } catch (error) {
    const trouble = storageFailureOf(error);
    if (trouble) {
      // A client that disconnects causes the same errors.
      if (!request.signal.aborted) log.error({ err: error }, `storage failure: ${trouble}`);
      await discardBody(request);
      return nothingAdded(storageFailureMessages[trouble]);
    }
    if (!(error instanceof FormRefused) || error.reason === "control field") return refuseForm(error);
    if (isShort && error.reason === "too large") {
      return nothingAdded(await quotaMessage(await tables(), draft.userId, draft.id));
    }
    return nothingAdded(wholeRefusals[error.reason]);
  }
  try {
    await confirm();
  } catch (error) {
    await store.removeAll(folder);
    throw error;
  }
  const refused: string[] = [];
  for (const file of form.received) {
    const reason = file.truncated ? tooLarge : await addFile(draft, requester, file);
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
  return withLock(await tables(), lockOf(draft.userId), async (db) => {
    const { count, last } = await db
      .selectFrom("draft_files")
      .where("draft_id", "=", draft.id)
      .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("n").as("last")])
      .executeTakeFirstOrThrow();
    // Another upload may have added some meanwhile.
    if (count >= limits.files) return `can’t be added: ${tooMany.toLowerCase()}`;
    if (!(await fitsQuota(db, draft.userId, { bytes, pages: inspected.pages }))) {
      return `can’t be added. ${await quotaMessage(db, draft.userId, draft.id)}`;
    }
    const row = { key, name, bytes, ...inspected, draft_id: draft.id, n: (last ?? 0) + 1 };
    await db.insertInto("draft_files").values(row).execute();
    return undefined;
  });
}
