import type { Kysely } from "kysely";
import { fold } from "#lib/text.ts";
import type { QueueOptions } from "#lib/storage/limits/work-queue.ts";
import type { Tables } from "../db/tables.ts";
import { invalid } from "../http/errors.ts";
import { hashPassword } from "./passwords.ts";
import { estimate } from "./strength.ts";

/** Of zxcvbn: more than 10^8 guesses. */
const minScore = 3;

/** Characters that are no part of the user's own words: the estimate overrates their order. */
const minOtherCharacters = 6;

const advice = "use three or four words that do not belong together";

/** Why a new password is too weak; undefined if it is strong enough. `texts` are the user's names and addresses. */
export async function passwordRefusal(password: string, texts: string[]): Promise<string | undefined> {
  const words = ownWords(texts);
  const leaveOut = `Leave out the name, email address, company and branch: ${advice}`;
  if (lengthWithout(password, words) < minOtherCharacters) return leaveOut;
  const { score, usesOwnWords } = await estimate({ password, ownWords: words });
  if (score >= minScore) return undefined;
  if (usesOwnWords) return leaveOut;
  return `This password is easy to guess: ${advice}`;
}

/** Hashes a new password of a user with these `texts`. Throws 422 if it is too weak. */
export async function hashNewPassword(password: string, texts: string[], turn?: QueueOptions): Promise<string> {
  const refusal = await passwordRefusal(password, texts);
  if (refusal) throw invalid({ password: refusal });
  return hashPassword(password, turn);
}

/** A user's name, email address, company and branch. */
export async function personalTexts(db: Kysely<Tables>, id: number): Promise<string[]> {
  const users = db.selectFrom("users").innerJoin("companies", "companies.id", "users.company_id");
  const { name, email, company, branch } = await users
    .leftJoin("branches", "branches.id", "users.branch_id")
    .where("users.id", "=", id)
    .select(["users.name", "users.email", "companies.name as company", "branches.name as branch"])
    .executeTakeFirstOrThrow();
  return [name, email, company, branch ?? ""];
}

/** How many characters of a password are outside the words. */
function lengthWithout(password: string, words: string[]): number {
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, " "), fold(password));
  return rest.match(/\S/gu)?.length ?? 0;
}

const [maxWords, maxWordLength] = [60, 64];

/** Texts as attackers try them: whole, with their words joined, and each word alone. */
function ownWords(texts: string[]): string[] {
  const variants = ["sealdesk", ...texts].flatMap((text) => {
    const parts = fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
    return [fold(text), parts.join(""), ...parts];
  });
  const long = variants.map((word) => word.slice(0, maxWordLength)).filter((word) => word.length >= 3);
  return [...new Set(long)].slice(0, maxWords);
}
