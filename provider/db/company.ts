import type { Kysely, Transaction } from "kysely";
import type { z } from "zod";
import type { Company } from "../contract/company.ts";
import { imageUrl } from "../images.ts";
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
export const today = (timezone: string, now: Date) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(now);

/** The time of day (`09:14`) where the company is. */
export const timeOfDay = (timezone: string, instant: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "short" }).format(new Date(instant));

const quarterHour = 15 * 60_000;

/** The instant at which a calendar month (`YYYY-MM`) begins where the company is. */
export function startOfMonth(timezone: string, month: string): Date {
  const inUtc = Date.parse(`${month}-01T00:00:00Z`);
  const hasBegun = (quarters: number) => today(timezone, new Date(inUtc + quarters * quarterHour)).slice(0, 7) >= month;
  // No place is more than 15 hours from UTC, and every one by whole quarters of an hour: looked for between the two.
  let [before, after] = [-60, 60];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (hasBegun(middle)) after = middle;
    else before = middle;
  }
  return new Date(inUtc + after * quarterHour);
}
