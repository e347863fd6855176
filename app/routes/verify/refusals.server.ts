import type { SubmissionResult } from "@conform-to/react";
import { data } from "react-router";
import type { Key } from "#lib/messages/catalogues.ts";
import { plainText } from "#lib/messages/isolates.ts";
import { type Words, wordsOf } from "#lib/messages/words.ts";
import { email } from "#provider/contract/fields.ts";
import { withoutFile } from "../../server/forms/file-check.ts";

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
  "refusal.email",
  "refusal.code.wrong",
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
  "credential.picture.none",
] as const satisfies Key[];

/** One for each of what is said of addresses: what one is to look like says enough to strangers. */
const wrongAddresses = ["", "é@company.example", "a".repeat(300), "\0"];

const english = wordsOf("en");
const byText = new Map<string, (typeof refusals)[number]>([
  ...refusals.map((key) => [english.t(key), key] as const),
  // Ours, in the language of staff.
  [withoutFile, "refusal.file.missing"],
  ...wrongAddresses.flatMap((address) =>
    (email().safeParse(address).error?.issues ?? []).map(({ message }) => [message, "refusal.email"] as const),
  ),
]);

type Refused = { status?: number | undefined; headers?: HeadersInit | undefined } | null | undefined;

type Limited = "refusal.limited" | "refusal.file.limited";

/**
 * A refusal in a page's language, with what there was too much of. Another provider's own words stay as they are, unless the
 * status says what is wrong.
 */
export function sayRefusal(message: string, words: Words, init: Refused, limited: Limited = "refusal.limited"): string {
  const key = byText.get(message);
  if (key) return words.t(key);
  const status = init?.status ?? 0;
  if (status === 429) {
    const seconds = Number(new Headers(init?.headers).get("retry-after")) || 60;
    return plainText(words.t(limited, { minutes: Math.ceil(seconds / 60) }));
  }
  return status >= 500 ? words.t("refusal.unanswered") : message;
}

type Failed = { status: number; message: string; retryAfter?: number | undefined };

/** A failure in a page's language, by the words for its status if there are some, and the reply's status and headers. */
export function refusalOf(
  { status, message, retryAfter }: Failed,
  words: Words,
  byStatus: Partial<Record<number, Key>>,
) {
  const init = { status, ...(retryAfter && { headers: { "retry-after": String(retryAfter) } }) };
  const key = byStatus[status];
  return { refused: key ? words.t(key) : sayRefusal(message, words, init), init };
}

type Reply = { data: SubmissionResult; init: ResponseInit | null };

/** The reply to a form with each of its refusals in a page's language. */
export function sayRefusals(reply: Reply, words: Words) {
  const errors = Object.entries(reply.data.error ?? {});
  const messages = errors.map(([name, texts]) => [
    name,
    texts?.map((text) => sayRefusal(text, words, reply.init)) ?? null,
  ]);
  return data(
    reply.data.error ? { ...reply.data, error: Object.fromEntries(messages) } : reply.data,
    reply.init ?? undefined,
  );
}
