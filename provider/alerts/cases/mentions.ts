import { fold, foldEmail } from "#lib/text.ts";
import { groupsOf } from "../../access-groups/access-group-queries.ts";
import { alertReadersOf } from "../../documents/readers.ts";
import type { Db } from "../../db/tables.ts";
import { maxMentions } from "../../contract/comment-limits.ts";
import { invalid } from "../../http/errors.ts";

/** Words of the longest name that a mention can have. */
const maxWords = 6;

/** Characters that may follow a mention and are not part of it. */
const punctuation = /(?:['’]s)?[.,;:!?)\]}’”"']*$/u;

/** A mention's possible meanings, the longest first: an address, or the first words after the @. */
export function mentionsIn(text: string): string[][] {
  const mentions = text.matchAll(/(?<![\p{L}\p{N}._-])@(?:([^\s@]{1,64}@[^\s@]{1,190})|([\p{L}\p{N}][^\n@]{0,110}))/gu);
  return [...mentions].map(([, address, after = ""]) => {
    if (address) return [address.replace(punctuation, "")];
    const words = after.split(/\s+/).filter(Boolean).slice(0, maxWords);
    return words.map((_, n) =>
      words
        .slice(0, words.length - n)
        .join(" ")
        .replace(punctuation, ""),
    );
  });
}

type Mentioned = { id: number; name: string; email: string };
type About = { id: number; company_id: number };

/** The users whom a comment on an alert about a document mentions. Throws 422 for those who may not read the alert. */
export async function findMentioned(db: Db, document: About, { text, notify }: { text: string; notify: string }) {
  const named = mentionsIn(text);
  if (named.length > maxMentions) throw invalid({ text: `Mention ${maxMentions} colleagues at most` });
  const keys = [...new Set([...named.flat(), notify].filter(Boolean).flatMap((one) => [fold(one), foldEmail(one)]))];
  if (keys.length === 0) return [];
  const groups = await groupsOf(db, document.company_id).selectAll().execute();
  const readers = await alertReadersOf(db, document, groups)
    .where((eb) => eb.or([eb("users.email_key", "in", keys), eb("users.name_key", "in", keys)]))
    .limit(200)
    .execute();
  const mentioned = new Map<number, Mentioned>();
  const add = (field: "text" | "notify", meanings: string[]) => {
    const matches = meanings.map((meaning) => readersCalled(readers, meaning)).find(({ length }) => length > 0) ?? [];
    const longest = meanings.at(-1)!;
    if (matches.length === 0)
      throw invalid({ [field]: `Nobody called “${longest}” may see this alert: check the name, or leave out the @` });
    if (matches.length > 1)
      throw invalid({ [field]: `Several colleagues are called “${matches[0]!.name}”: use the email address` });
    mentioned.set(matches[0]!.id, matches[0]!);
  };
  for (const meanings of named) add("text", meanings);
  if (notify) add("notify", [notify]);
  return [...mentioned.values()];
}

const readersCalled = (readers: Mentioned[], called: string) =>
  readers.filter(({ name, email }) => foldEmail(email) === foldEmail(called) || fold(name) === fold(called));
