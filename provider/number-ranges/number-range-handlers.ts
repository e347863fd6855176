import type { Actor } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import * as contract from "../contract/number-ranges.ts";
import type { On } from "../http/endpoint.ts";
import type { Services } from "../services.ts";
import { rangeFrom, removeRange, saveRange } from "./change-number-range.ts";
import { asNumberRange, firstFree, nextOf, rangesOf, yearOf } from "./range-numbers.ts";

/** How many numbers a preview has. */
const previewed = 3;

/** The company's number ranges. */
export function serveNumberRanges(on: On, services: Services) {
  const { db } = services;
  const today = ({ timezone }: Actor) => dateIn(timezone, services.now());

  on(contract.listNumberRanges, async ({ actor }) =>
    (await rangesOf(db, actor.company_id)).map((range) => asNumberRange(range, today(actor))),
  );

  on(contract.previewNumberRange, async ({ actor, query }) => {
    const date = today(actor);
    const range = await rangeFrom(db, actor, query, date);
    const numbers: string[] = [];
    for (let { next } = range; numbers.length < previewed; next++) {
      const free = await firstFree(db, actor.company_id, { ...range, next }, date);
      numbers.push(free.number);
      next = free.place;
    }
    return { numbers, next_year: nextOf(range, `${yearOf(date) + 1}-01-01`) };
  });

  on(contract.createNumberRange, ({ caller, body }) => saveRange(services, caller, undefined, body));
  on(contract.updateNumberRange, ({ caller, params, body }) => saveRange(services, caller, params.id, body));
  on(contract.removeNumberRange, ({ caller, params }) => removeRange(services, caller, params.id));
}
