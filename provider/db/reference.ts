import type { Kysely } from "kysely";
import { guideFor, plans } from "../contract/reference.ts";
import type { Tables } from "./tables.ts";

/** Reference data, written at each start: the plans and the help guide. */

const pence = (pounds: number | null) => (pounds === null ? null : Math.round(pounds * 100));

export const tariffs: Tables["tariffs"][] = plans.map(({ price_per_user, min_monthly, extra_page, ...plan }) => ({
  ...plan,
  price_per_user: pence(price_per_user),
  min_monthly: pence(min_monthly),
  extra_page: pence(extra_page),
}));

const helpItems: Tables["help_items"][] = guideFor("own");

/** Writes plans and help guide, replacing those of older versions. */
export async function writeReference(db: Kysely<Tables>) {
  await db
    .insertInto("tariffs")
    .values(tariffs)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        name: eb.ref("excluded.name"),
        min_users: eb.ref("excluded.min_users"),
        max_users: eb.ref("excluded.max_users"),
        price_per_user: eb.ref("excluded.price_per_user"),
        min_monthly: eb.ref("excluded.min_monthly"),
        pages: eb.ref("excluded.pages"),
        extra_page: eb.ref("excluded.extra_page"),
      })),
    )
    .execute();
  await db
    .insertInto("help_items")
    .values(helpItems)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        question: eb.ref("excluded.question"),
        answer: eb.ref("excluded.answer"),
      })),
    )
    .execute();
  await db.deleteFrom("help_items").where("id", ">", helpItems.length).execute();
}
