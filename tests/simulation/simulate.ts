import { rmSync } from "node:fs";
import { type Plan, planOf } from "./plan.ts";
import { createModel } from "./model.ts";
import { newPostgres } from "./postgres.ts";
import { newSqlite } from "./process.ts";
import { startOf, World } from "./world.ts";
import { companiesOf } from "./people/visitor.ts";

export type Run = { seed: number; plan: Plan; isPostgres: boolean };

export const runOf = (seed: number, weeks: number, isPostgres: boolean): Run => ({
  seed,
  plan: planOf(seed, weeks),
  isPostgres,
});

/** Runs a seed's world up to the first burst with a broken promise. The trace has all that was seen. */
export async function simulate({ seed, plan, isPostgres }: Run) {
  const place = await (isPostgres ? newPostgres() : newSqlite());
  const companies = companiesOf();
  const world = new World({ seed, place, companies, start: plan.start, model: createModel(startOf(companies)) });
  await world.found();
  for (const burst of plan.bursts) {
    await world.run(burst).catch((error: Error) => world.report([`H-02: ${error.message}`]));
    if (world.breaches.length > 0) break;
  }
  await world.close();
  rmSync(place.directory, { recursive: true, force: true });
  const { trace, breaches, lines, figures } = world;
  return { trace, breaches, lines, ...figures };
}
