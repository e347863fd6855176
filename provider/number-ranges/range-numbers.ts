import type { Selectable } from "kysely";
import type { Actor } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { Db, Tables } from "../db/tables.ts";
import { freeNumber, isReadAlike, numberColumns, requireFree, usedNumbers } from "../documents/numbers.ts";
import { invalid } from "../http/errors.ts";

/** Numbers of ranges. */

export type StoredRange = Omit<Selectable<Tables["number_ranges"]>, "id" | "company_id">;

/** With the name of its branch; empty for all. */
export type ListedRange = StoredRange & { id: number; branch: string };

export const yearOf = (date: string) => Number(date.slice(0, 4));

/** The number at a place of a range, for a document that is issued on a date. */
export const numberAt = ({ prefix, digits }: Pick<StoredRange, "prefix" | "digits">, date: string, place: number) =>
  prefix.replace("{YYYY}", date.slice(0, 4)) + String(place).padStart(digits, "0");

/** A company's ranges, the closest first: of a type at a branch, a type, a branch, all. */
export async function rangesOf(db: Db, companyId: number) {
  const ranges = await db
    .selectFrom("number_ranges")
    .leftJoin("branches", "branches.id", "number_ranges.branch_id")
    .where("number_ranges.company_id", "=", companyId)
    .orderBy("document_type")
    .orderBy("branches.name")
    .selectAll("number_ranges")
    .select((eb) => eb.fn.coalesce("branches.name", eb.val("")).as("branch"))
    .execute();
  const distance = ({ document_type, branch_id }: StoredRange) => (document_type ? 0 : 2) + (branch_id ? 0 : 1);
  return ranges.toSorted((one, other) => distance(one) - distance(other));
}

const placeOf = ({ restarts, next, next_year }: StoredRange, date: string) =>
  restarts === 1 && next_year < yearOf(date) ? 1 : next;

/** The number that a range is at, whether a document has it or not. */
export const nextOf = (range: StoredRange, date: string) => numberAt(range, date, placeOf(range, date));

/** A range in the contract's form. */
export const asNumberRange = (range: ListedRange, date: string) => {
  const { id, document_type, branch_id, branch } = range;
  return { id, document_type, branch_id, branch, next_number: nextOf(range, date), restarts: range.restarts === 1 };
};

/** Places whose numbers are looked up together, after the first one. */
const placesAtOnce = 200;

/** The first place of a range from where it is whose number no document of the company has. */
export async function firstFree(db: Db, companyId: number, range: StoredRange, date: string) {
  for (let [from, count] = [placeOf(range, date), 1]; ; from += count, count = placesAtOnce) {
    const numbers = Array.from({ length: count }, (_, n) => numberAt(range, date, from + n));
    const used = await usedNumbers(db, companyId, numbers);
    const free = numbers.findIndex((number) => !used.has(number));
    if (free >= 0) return { place: from + free, number: numbers[free]! };
  }
}

/**
 * The number of a document that is issued in this transaction, which holds the company's row: that of its range, so
 * that none is given twice and none is left out when the transaction fails; without a range a random one.
 */
export async function takeNumber(
  db: Db,
  { company_id, timezone }: Actor,
  { document_type, branch_id }: { document_type: string; branch_id: number | null },
  at: Date,
) {
  const ranges = await rangesOf(db, company_id);
  const range = ranges.find(
    (one) => ["", document_type].includes(one.document_type) && [null, branch_id].includes(one.branch_id),
  );
  if (!range) return freeNumber(db, company_id);
  const date = dateIn(timezone, at);
  const { place, number } = await firstFree(db, company_id, range, date);
  const taken = { next: place + 1, next_year: yearOf(date) };
  await db.updateTable("number_ranges").set(taken).where("id", "=", range.id).execute();
  return number;
}

/** Throws 422 for a typed number that a document of the company has, or that a range will give. */
export async function requireTypable(db: Db, actor: Actor, number: string, at: Date) {
  await requireFree(db, actor.company_id, number);
  const message = rangeMessage(await rangesOf(db, actor.company_id), number, dateIn(actor.timezone, at));
  if (message) throw invalid({ number: message });
}

/** The message for a typed number that one of the ranges will give: typed ones ahead of it would leave gaps. */
export function rangeMessage(ranges: StoredRange[], number: string, date: string): string | undefined {
  const [tail = ""] = /\d+$/.exec(numberColumns(number).number_read) ?? [];
  const tails = Array.from({ length: Math.min(tail.length, 9) }, (_, n) => tail.slice(-n - 1));
  const range = ranges.find((one) =>
    tails.some((digits) => {
      const isFilled = digits.length === one.digits || (digits.length > one.digits && !digits.startsWith("0"));
      const place = Number(digits);
      return isFilled && place >= placeOf(one, date) && isReadAlike(numberAt(one, date, place), number);
    }),
  );
  return (
    range &&
    `The number ${number} is of a number range that is at ${nextOf(range, date)}: leave it empty to get the next one, or choose another`
  );
}
