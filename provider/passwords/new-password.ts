import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { estimate } from "./strength.ts";

/** Whether a password that a user is to have is hard enough to guess. */

/** The lowest score that is accepted: more than 10^8 guesses. */
const minScore = 3;

/** So many characters must be neither the user's own words nor between them: the estimate counts their order. */
const minOtherCharacters = 6;

const advice = "use three or four words that do not belong together";

/**
 * Why a new password is refused, or undefined where it is good. `texts` are names and addresses that belong to its
 * user. Its length is the contract's to check.
 */
export async function passwordRefusal(password: string, texts: string[]): Promise<string | undefined> {
  const words = ownWords(texts);
  const leaveOut = `Leave out the name, email address, company and branch: ${advice}`;
  if (lengthWithout(password, words) < minOtherCharacters) return leaveOut;
  const { score, usesOwnWords } = await estimate({ password, ownWords: words });
  if (score >= minScore) return undefined;
  if (usesOwnWords) return leaveOut;
  return `This password is easy to guess: ${advice}`;
}

/** The texts that belong to a user: name, email address, company and branch. */
export async function personalTexts(db: Kysely<Tables>, id: number): Promise<string[]> {
  const users = db.selectFrom("users").innerJoin("companies", "companies.id", "users.company_id");
  const { name, email, company, branch } = await users
    .leftJoin("branches", "branches.id", "users.branch_id")
    .where("users.id", "=", id)
    .select(["users.name", "users.email", "companies.name as company", "branches.name as branch"])
    .executeTakeFirstOrThrow();
  return [name, email, company, branch ?? ""];
}

/** How many characters of a password are in none of the words. */
function lengthWithout(password: string, words: string[]): number {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, " "), password.toLowerCase());
  return rest.match(/\S/gu)?.length ?? 0;
}

/** As many words as names and addresses reasonably have, and as much of each as is estimated. */
const [maxWords, maxWordLength] = [60, 64];

/** Texts as attackers try them: whole, without what separates their words, and each word alone. */
function ownWords(texts: string[]): string[] {
  const variants = ["sealdesk", ...texts].flatMap((text) => {
    const parts = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return [text.toLowerCase(), parts.join(""), ...parts];
  });
  const long = variants.map((word) => word.slice(0, maxWordLength)).filter((word) => word.length >= 3);
  return [...new Set(long)].slice(0, maxWords);
}
