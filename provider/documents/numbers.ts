import { fold, foldTyped } from "#lib/text.ts";
import type { Db } from "../db/tables.ts";
import { invalid } from "../http/errors.ts";
import { newNumber } from "./codes.ts";

/** Which numbers are one number to people who read them on paper. What verification takes for one is free only once. */

const gap = "[^\\p{L}\\p{M}\\p{N}]*";
const paper = "document|doc|dokument|dok|documento|belge|документ|दस्तावेज|文件|文档|证书|合同";
const word =
  "number|num|nummer|numero|numer|nr|no|n[.°]\\s*o?|номер|ном|numarasi|numara|sayi|رقم|संख्या|नंबर|क्रमांक|编号|号码|第";
const ofPaper = `${gap}(?:(?:of|de|do|du|del|di|des)\\b${gap})?(?:the )?(?:document|documento|dokuments|dokumentu|документа|المستند|الوثيقه)`;

/** Words for “number” before one, as `fold` has them. */
const numberWords = new RegExp(
  `^${gap}(?:(?:${paper})${gap})?(?:${word})(?:${ofPaper})?(?![\\p{L}\\p{M}])${gap}(?=.*\\p{N})`,
  "u",
);

/**
 * How people read a number: without case, words for “number”, spaces and punctuation but those between digits; O is 0, I and L
 * are 1. `bare` has those neither.
 */
function readingOf(number: string) {
  const counted = fold(number)
    .replace(numberWords, "")
    .replace(/(?<=\p{N})[号號]$/u, "");
  const exact = foldTyped(counted)
    .replace(/o/g, "0")
    .replace(/[il]/g, "1")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, (signs, at: number, all: string) =>
      /\d/.test(all[at - 1] ?? "") && /\d/.test(all[at + signs.length] ?? "") ? "-" : "",
    );
  // A number of signs alone is what these are.
  return exact === "" ? { exact: fold(number), bare: fold(number) } : { exact, bare: exact.replaceAll("-", "") };
}

/** A document's number with its keys, for searches and for finding numbers that are read alike. */
export const numberColumns = (number: string) => ({
  number,
  number_key: fold(number),
  number_read: readingOf(number).bare,
});

/** Whether two numbers are read alike: 1/12 and 112 are, and 11/2 and 112, but not 1/12 and 11/2. */
export function isReadAlike(one: string, other: string): boolean {
  const [a, b] = [readingOf(one), readingOf(other)];
  return a.bare === b.bare && (a.exact === b.exact || a.exact === a.bare || b.exact === b.bare);
}

/** The lines of a table where each number is first, by both its readings: a table may have thousands that differ by signs. */
export class FirstReadAlike {
  private readonly lines = new Map<string, { line: number; number: string }>();

  add(line: number, number: string) {
    const { exact, bare } = readingOf(number);
    for (const key of [exact, `any ${bare}`]) if (number && !this.lines.has(key)) this.lines.set(key, { line, number });
  }

  /** The first number before a line that is read like that line's. */
  before(line: number, number: string) {
    const { exact, bare } = readingOf(number);
    const alike = [exact, bare, ...(exact === bare ? [`any ${bare}`] : [])].map((key) => this.lines.get(key));
    return number ? alike.find((one) => one && one.line < line) : undefined;
  }
}

/** The documents of a company whose numbers may be read like one, as far as there are few. */
const documentsReadLike = (db: Db, companyId: number, numbers: string[]) =>
  db
    .selectFrom("documents")
    .where("company_id", "=", companyId)
    .where("number_read", "in", [...new Set(numbers.map((number) => readingOf(number).bare))])
    .select(["id", "number"])
    .execute();

/** The numbers that are reserved for what awaits release, likewise. */
const reservedLike = (db: Db, companyId: number, numbers: string[]) =>
  db
    .selectFrom("releases")
    .where("company_id", "=", companyId)
    .where("number_read", "in", [...new Set(numbers.map((number) => readingOf(number).bare))])
    .where("state", "!=", "released")
    .select(["id", "number"])
    .execute();

/** Of numbers those that a company's documents have, or will, each with the document's, which may only be read alike. */
export async function usedNumbers(db: Db, companyId: number, numbers: string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const others = [
    ...(await documentsReadLike(db, companyId, numbers)),
    ...(await reservedLike(db, companyId, numbers)),
  ];
  const byReading = Map.groupBy(others, (other) => readingOf(other.number).bare);
  return new Map(
    numbers.flatMap((number) => {
      const alike = byReading.get(readingOf(number).bare)?.find((other) => isReadAlike(other.number, number));
      return alike ? [[number, alike.number]] : [];
    }),
  );
}

const numberReadAlike = async (db: Db, companyId: number, number: string) =>
  (await usedNumbers(db, companyId, [number])).get(number);

/** The message for a number that is read like one already used. */
export const takenMessage = (number: string, other: string) =>
  fold(other) === fold(number)
    ? `The number ${number} is already used: choose another`
    : `The number ${number} is read like ${other}, which is already used: choose another`;

export type Compared = "" | "same" | "near" | "other";

/** Whether a number that was typed from paper is a document's, and not exactly another one's of the same company. */
export async function comparePaper(
  db: Db,
  document: { company_id: number; number: string },
  { number: typed, again }: { number: string; again: boolean },
): Promise<Compared> {
  const { company_id, number } = document;
  const compared = compareAsRead(typed, number);
  if (compared === "" || fold(typed) === fold(number)) return compared;
  const others = await documentsReadLike(db, company_id, [typed]);
  // Documents issued before numbers were compared so may have numbers that are read alike.
  const isOther = others.some((other) => other.number !== number && fold(other.number) === fold(typed));
  if (compared === "same") return isOther ? "other" : "same";
  const isOfOther = others.some((other) => isReadAlike(other.number, typed));
  return compared === "near" && (again || isOfOther) ? "other" : compared;
}

/** Compares a number typed from paper with a document's: "" if none was typed, "near" for one slip. */
export function compareAsRead(typed: string, number: string): Compared {
  // Dashes for "none" are no number.
  if (!/[\p{L}\p{N}]/u.test(fold(typed)) && fold(typed) !== fold(number)) return "";
  if (isReadAlike(typed, number)) return typed === "" ? "" : "same";
  const [a, b] = [readingOf(typed).bare, readingOf(number).bare];
  return a === b || (b.length >= shortestNear && isOneSlip(a, b)) ? "near" : "other";
}

/** Of shorter numbers each is a slip away from many others. */
const shortestNear = 6;

/** Whether one character is wrong, missing or too many, or two neighbours are exchanged. */
function isOneSlip(a: string, b: string) {
  if (Math.abs(a.length - b.length) > 1) return false;
  let [first, last] = [0, 0];
  const shorter = Math.min(a.length, b.length);
  while (first < shorter && a[first] === b[first]) first++;
  while (last < shorter - first && a.at(-1 - last) === b.at(-1 - last)) last++;
  const [x, y] = [a.slice(first, a.length - last), b.slice(first, b.length - last)];
  return x.length + y.length <= 2 || (x.length === 2 && x === `${y[1]}${y[0]}`);
}

/** A random number that no document of the company has. */
export async function freeNumber(db: Db, companyId: number): Promise<string> {
  let number = newNumber();
  while ((await numberReadAlike(db, companyId, number)) !== undefined) number = newNumber();
  return number;
}

/** Throws 422 for a number that is read like that of a document of the company. */
export async function requireFree(db: Db, companyId: number, number: string) {
  const other = await numberReadAlike(db, companyId, number);
  if (other !== undefined) throw invalid({ number: takenMessage(number, other) });
}
