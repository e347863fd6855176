import type { Actor } from "../access.ts";
import { dateIn, startOfDay } from "../calendar/calendar.ts";
import { TRUE } from "../db/flags.ts";
import type { Db, Tables } from "../db/tables.ts";

type Plan = Pick<Tables["tariffs"], "price_per_user" | "min_monthly" | "pages" | "extra_page">;

/**
 * The price of a month on a plan, in pence: users by their price but no less than the minimum, and extra pages
 * (`docs/open-points.md`). Null for a plan by agreement.
 */
export function monthlyCost(plan: Plan, { users, pages }: { users: number; pages: number }) {
  const { price_per_user, min_monthly, pages: included, extra_page } = plan;
  if (price_per_user === null || min_monthly === null || included === null || extra_page === null) {
    return { pages_included: null, extra_pages: null, amount: null };
  }
  const extra_pages = Math.max(0, pages - included);
  const amount = Math.max(min_monthly, users * price_per_user) + extra_pages * extra_page;
  return { pages_included: included, extra_pages, amount };
}

/** The number of users that a company pays for: active ones, invited ones among them. */
export async function activeUsers(db: Db, companyId: number): Promise<number> {
  const { users } = await db
    .selectFrom("users")
    .where("company_id", "=", companyId)
    .where("active", "=", TRUE)
    .select((eb) => eb.fn.countAll<number>().as("users"))
    .executeTakeFirstOrThrow();
  return users;
}

/**
 * The bill so far of the current calendar month in the company's time zone, in pence. All pages issued in the month
 * count; the current plan counts for the whole month.
 */
export async function currentBill(db: Db, { company_id, timezone }: Actor, now: Date) {
  const period = dateIn(timezone, now).slice(0, 7);
  const plan = await db
    .selectFrom("companies")
    .innerJoin("tariffs", "tariffs.id", "companies.tariff_id")
    .where("companies.id", "=", company_id)
    .selectAll("tariffs")
    .executeTakeFirstOrThrow();
  const { pages } = await db
    .selectFrom("documents")
    .where("company_id", "=", company_id)
    .where("created_at", ">=", startOfDay(timezone, `${period}-01`))
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("pages"), eb.lit(0)).as("pages"))
    .executeTakeFirstOrThrow();
  const usage = { users: await activeUsers(db, company_id), pages };
  return { tariff: plan.name, ...usage, ...monthlyCost(plan, usage), period };
}
