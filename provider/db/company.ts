import { LRUCache } from "lru-cache";
import type { Kysely, Transaction } from "kysely";
import type { z } from "zod";
import { daysInMs } from "#units";
import type { Company } from "../contract/company.ts";
import { isRealDate } from "../contract/fields.ts";
import { imageUrl } from "../files/images.ts";
import type { Tables } from "./tables.ts";

/**
 * Runs writes that must see each other (numbers, counters, the last administrator, a branch's last user) one after
 * the other within a company: taking the company's row first makes PostgreSQL do what SQLite does anyway.
 */
export function inCompany<T>(
  db: Kysely<Tables>,
  companyId: number,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("companies")
      .set((eb) => ({ documents: eb.ref("documents") }))
      .where("id", "=", companyId)
      .execute();
    return work(transaction);
  });
}

/** The company profile as the contract has it. */
export async function companyReply(db: Kysely<Tables>, id: number) {
  const { image_key, ...company } = await db
    .selectFrom("companies")
    .where("id", "=", id)
    .select([
      "id",
      "name",
      "email",
      "phone",
      "country",
      "city",
      "index",
      "address",
      "active",
      "timezone",
      "version",
      "image_key",
    ])
    .executeTakeFirstOrThrow();
  return { ...company, active: company.active === 1, img: imageUrl("/company", image_key) } satisfies z.input<
    typeof Company
  >;
}

/** Today's date (`YYYY-MM-DD`) where the company is. */
export const today = (timezone: string, now: Date) => calendars.memo(timezone).format(now);

/** Kept, since each takes longer to make than all else that a request does with dates. */
const calendars = new LRUCache<string, Intl.DateTimeFormat>({
  max: 100,
  memoMethod: (timeZone) => new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }),
});

/** The time of day (`09:14`) where the company is. */
export const timeOfDay = (timezone: string, instant: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short" }).format(new Date(instant));

const dayLength = daysInMs(1);

/**
 * The instants at which a date (`YYYY-MM-DD`) begins where the company is, and at which the next one does. For what is
 * no date, a day on which nothing is: it begins after all instants, and ends before them.
 */
export function dayOf(timezone: string, date: string): { begin: string; end: string } {
  if (!isRealDate(date)) return { begin: "~", end: "" };
  const day = Date.parse(date);
  const next = Math.min(day + dayLength, lastDay);
  return { begin: midnight(timezone, day), end: midnight(timezone, next) };
}

/** The instant at which a calendar month (`YYYY-MM`) begins where the company is. */
export const startOfMonth = (timezone: string, month: string) =>
  new Date(midnight(timezone, Date.parse(`${month}-01`)));

const lastDay = Date.parse("9999-12-31");

/** When the day begins whose date it is in UTC at `day`. Clocks that are set at midnight leave two answers to try. */
function midnight(timezone: string, day: number) {
  const date = new Date(day).toISOString().slice(0, 10);
  const tries = [day - dayLength, day + dayLength].map((near) => day - ahead(timezone, near)).toSorted((a, b) => a - b);
  const found = tries.find((time) => today(timezone, new Date(time)) === date) ?? tries[0]!;
  return new Date(found).toISOString();
}

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
function ahead(timezone: string, time: number) {
  const whole = Math.floor(time / 1000) * 1000;
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" });
  return Date.parse(`${shown.format(whole).replace(" ", "T")}Z`) - whole;
}
