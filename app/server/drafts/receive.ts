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
import { resources } from "../process/resources.ts";
import { withLock } from "./lock.ts";
import { hasRoomFor, noRoomMessage, roomLeft } from "./quota.ts";
import { type Draft, folderOf, tables, userLock } from "./store.ts";

/** Page files on their way into a draft. */

/** A posted form of the step with page files: its fields, how many were taken, and a sentence for each other. */
export type ReceivedPages = { fields: Fields; added: number; refused: string[] };

/** The fields that are read beside the files, for whom those are opened, and what makes sure of the sender afterwards. */
type Receiving = { schema: z.ZodObject; requester: Requester; confirm: () => Promise<unknown> };

/**
 * Reads a form with page files, which go to the store while they arrive and then to the end of the draft. `confirm` is
 * called once they are here, as that may take minutes; where it throws, none is added.
 */
export async function receivePages(request: Request, draft: Draft, receiving: Receiving): Promise<ReceivedPages> {
  const room = await roomLeft(await tables(), draft.userId);
  const before = draft.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const ofDocument = limits.documentBytes - before;
  const totalBytes = Math.min(ofDocument, room.left);
  const declared = declaredBytes(request) ?? 0;
  const isShort = totalBytes < ofDocument;
  if (isShort && declared > totalBytes + formOverheadBytes) {
    await discardBody(request);
    return nothingAdded(await noRoomMessage(await tables(), draft.userId, draft.id));
  }
  const end = room.promise(declared || totalBytes);
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

/** What is left for the files, and whether that is less than a document may have. */
type Room = { totalBytes: number; isShort: boolean };

async function receiveInto(request: Request, draft: Draft, receiving: Receiving & Room): Promise<ReceivedPages> {
  const { files: store } = await resources();
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
      // A browser that went away looks the same, but is no fault here.
      if (!request.signal.aborted) log.error({ err: error }, `storage failure: ${trouble}`);
      await discardBody(request);
      return nothingAdded(storageFailureMessages[trouble]);
    }
    if (!(error instanceof FormRefused) || error.reason === "control field") return refuseForm(error);
    if (isShort && error.reason === "too large") {
      return nothingAdded(await noRoomMessage(await tables(), draft.userId, draft.id));
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
  const inspected = await inspectStored(await resources(), requester, key).catch((error: unknown) => {
    if (error instanceof PageWorkBusy) return tooBusy;
    throw error;
  });
  if ("refused" in inspected) return inspected.refused;
  return withLock(await tables(), userLock(draft.userId), async (db) => {
    const { count, last } = await db
      .selectFrom("draft_files")
      .where("draft_id", "=", draft.id)
      .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("n").as("last")])
      .executeTakeFirstOrThrow();
    // Others may have come at the same time.
    if (count >= limits.files) return `can’t be added: ${tooMany.toLowerCase()}`;
    if (!(await hasRoomFor(db, draft.userId, { bytes, pages: inspected.pages }))) {
      return `can’t be added. ${await noRoomMessage(db, draft.userId, draft.id)}`;
    }
    const row = { key, name, bytes, ...inspected, draft_id: draft.id, n: (last ?? 0) + 1 };
    await db.insertInto("draft_files").values(row).execute();
    return undefined;
  });
}
