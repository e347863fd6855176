import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tariffs } from "../db/reference.ts";
import { monthlyCost } from "./bill.ts";

const plan = fc.constantFrom(...tariffs.filter(({ price_per_user }) => price_per_user !== null));
const count = fc.nat({ max: 100_000 });
const usage = fc.record({ users: count, pages: count });

describe("a month's bill", () => {
  test.each([
    [{ users: 8, pages: 1000 }, 400_00],
    [{ users: 5, pages: 0 }, 400_00],
    [{ users: 10, pages: 1001 }, 400_50],
    [{ users: 12, pages: 1200 }, 580_00],
  ])("of SilverState 1 with %o is %d pence", (used, pence) => {
    expect(monthlyCost(tariffs[2]!, used).amount).toBe(pence);
  });

  test("is whole pence, and at least the plan's minimum", () => {
    fc.assert(
      fc.property(plan, usage, (plan, used) => {
        const { amount } = monthlyCost(plan, used);
        expect(Number.isInteger(amount)).toBe(true);
        expect(amount).toBeGreaterThanOrEqual(plan.min_monthly!);
      }),
    );
  });

  test("charges only the pages beyond the included ones", () => {
    fc.assert(
      fc.property(plan, count, count, (plan, users, extra) => {
        const within = monthlyCost(plan, { users, pages: Math.min(extra, plan.pages!) });
        expect(within).toEqual({ ...monthlyCost(plan, { users, pages: 0 }), extra_pages: 0 });
        const beyond = monthlyCost(plan, { users, pages: plan.pages! + extra });
        expect(beyond.extra_pages).toBe(extra);
        expect(beyond.amount! - within.amount!).toBe(extra * plan.extra_page!);
      }),
    );
  });

  test("rises by at most the price per user with each user", () => {
    fc.assert(
      fc.property(plan, usage, (plan, { users, pages }) => {
        const more =
          monthlyCost(plan, { users: users + 1, pages }).amount! - monthlyCost(plan, { users, pages }).amount!;
        expect(more).toBeGreaterThanOrEqual(0);
        expect(more).toBeLessThanOrEqual(plan.price_per_user!);
      }),
    );
  });

  test("is unknown for a plan by agreement", () => {
    expect(monthlyCost(tariffs[7]!, { users: 300, pages: 20_000 })).toEqual({
      pages_included: null,
      extra_pages: null,
      amount: null,
    });
  });
});
