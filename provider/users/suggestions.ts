import type { Kysely } from "kysely";
import { fold } from "#lib/text.ts";
import { type Actor, branchesWithin, usersWithin } from "../access.ts";
import { TRUE } from "../db/flags.ts";
import type { Tables } from "../db/tables.ts";

/** More would be no help to choose from. */
const maxSuggestions = 100;

/** The countries and roles that users and branches in the actor's reach have, the most used spelling of each. */
export async function suggestions(db: Kysely<Tables>, actor: Actor) {
  const usersBy = (column: "country" | "role") =>
    db
      .selectFrom("users")
      .where(usersWithin(actor, "users", "read"))
      .where("active", "=", TRUE)
      .where(column, "!=", "")
      .groupBy(column)
      .select((eb) => [eb.ref(column).as("text"), eb.fn.countAll<number>().as("count")])
      .execute();
  const branches = db
    .selectFrom("branches")
    .where(branchesWithin(actor, "read"))
    .where("country", "!=", "")
    .groupBy("country")
    .select((eb) => ["country as text", eb.fn.countAll<number>().as("count")])
    .execute();
  const [roles, countries, branchCountries] = await Promise.all([usersBy("role"), usersBy("country"), branches]);
  return { roles: mostUsed(roles), countries: mostUsed([...countries, ...branchCountries]) };
}

/** The most used texts, each in its most used spelling. */
function mostUsed(texts: { text: string; count: number }[]): string[] {
  const spellings = texts.toSorted((one, other) => Number(other.count) - Number(one.count));
  const byKey = new Map<string, string>();
  for (const { text } of spellings) if (!byKey.has(fold(text))) byKey.set(fold(text), text);
  return [...byKey.values()].slice(0, maxSuggestions).toSorted((one, other) => one.localeCompare(other, "en"));
}
