import { dateFormat } from "#lib/messages/formats.ts";
import { tagOf } from "#lib/messages/languages.ts";
import { offlineWords } from "#lib/messages/offline-words.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { type Answer, answerOf } from "#lib/seal/offline-answer.ts";
import { checkOffline, listsFor } from "#lib/seal/offline-check.ts";
import type { StatusList } from "#lib/seal/status-list.ts";
import { typeName } from "#provider/contract/document-options.ts";
import { secondsInMs } from "#lib/units.ts";
import { showDate } from "../components/text/format.ts";
import { readKeys, readList, type SavedKeys } from "./saved.ts";

/** Checks the text of a code by what is saved; if there is a network, by newer keys and a newer list if those are old. */
export async function checkCode(text: string): Promise<Answer> {
  const now = Math.floor(Date.now() / secondsInMs(1));
  const first = await checkBy(await readKeys().catch(() => noKeys), text, now);
  // The key may be newer than the saved ones.
  const isMissing = first.check.kind === "unknown key" || first.check.kind === "other address";
  const { check, savedAt } = isMissing ? await checkBy(await readKeys(0), text, now) : first;
  return answerOf(check, { now, keysAt: savedAt, showDate, showInstant, typeName, words: offlineWords });
}

const noKeys: SavedKeys = { keys: [], savedAt: 0 };

async function checkBy({ keys, savedAt }: SavedKeys, text: string, now: number) {
  const lists: StatusList[] = [];
  for (const address of await listsFor(text, keys)) {
    const list = await readList(address, keys);
    if (list) lists.push(list);
  }
  return { check: await checkOffline(text, { keys, lists }, now), savedAt };
}

/** In the time zone of the device. */
export const showInstant = (seconds: number) =>
  dateFormat(tagOf(staffLanguage), { dateStyle: "medium", timeStyle: "short" }).format(seconds * secondsInMs(1));
