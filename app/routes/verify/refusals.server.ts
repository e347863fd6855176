import type { Key } from "#messages/catalogues.ts";
import { plainText } from "#messages/marks.ts";
import { type Words, wordsOf } from "#messages/words.ts";

/** Refusals that our provider and the contract's schemas word in English, each the English text of its message. */
const refusals = [
  "refusal.report.missing",
  "refusal.report.long",
  "refusal.report.characters",
  "refusal.contact.long",
  "refusal.contact.characters",
  "refusal.place.missing",
  "refusal.place.long",
  "refusal.place.characters",
  "refusal.late",
  "refusal.reported",
  "refusal.located",
  "refusal.file.missing",
  "refusal.file.empty",
  "refusal.file.large",
  "refusal.file.noPdf",
  "refusal.file.noPages",
  "refusal.file.damaged",
  "refusal.file.password",
  "refusal.file.heavy",
  "refusal.file.notSealed",
  "refusal.file.busy",
] as const satisfies Key[];

const english = wordsOf("en");
const byEnglish = new Map(refusals.map((key) => [english.say(key), key]));

type Refused = { status?: number | undefined; headers?: HeadersInit | undefined } | null | undefined;

/** A refusal in a page's language. Another provider's own words stay as they are, unless the status says what is wrong. */
export function sayRefusal(message: string, words: Words, init: Refused): string {
  const key = byEnglish.get(message);
  if (key) return words.say(key);
  const status = init?.status ?? 0;
  if (status === 429) {
    const seconds = Number(new Headers(init?.headers).get("retry-after")) || 60;
    return plainText(words.say("refusal.limited", { minutes: Math.ceil(seconds / 60) }));
  }
  return status >= 500 ? words.say("refusal.unanswered") : message;
}
