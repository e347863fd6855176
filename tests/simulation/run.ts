import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { parseArgs } from "node:util";
import { hrtime } from "node:process";
import { daysInMs, minutesInMs } from "#lib/units.ts";
import { useMemoryForTemporaryFiles } from "../support/temporary.ts";
import { gateDatabases } from "./database.ts";
import { patchProcess } from "./patches.ts";

// Stands for the build, which makes texts of some files and lists others.
registerHooks({
  load(url, context, next) {
    const { pathname, search } = new URL(url, "file:///");
    if (search === "?raw") {
      const source = `export default ${JSON.stringify(readFileSync(pathname, "utf8"))}`;
      return { format: "module", source, shortCircuit: true };
    }
    const loaded = next(url, context);
    if (!pathname.endsWith("/proof-bundle.ts")) return loaded;
    return { ...loaded, source: String(loaded.source).replace(/import\.meta\.glob(<string>)?/, "Object") };
  },
});
const daysSince1970 = Math.floor(Date.now() / daysInMs(1));
useMemoryForTemporaryFiles();
patchProcess();
gateDatabases();
const { simulate, runOf } = await import("./simulate.ts");
const { scriptOf, shrink } = await import("./shrink.ts");

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    postgres: { type: "boolean", default: false },
    weeks: { type: "string", default: "2" },
    minutes: { type: "string", default: "10" },
    bursts: { type: "string", default: "" },
    verbose: { type: "boolean", default: false },
  },
});

// A night without a seed tries new ones.
const first = Number(values.seed ?? daysSince1970 * 10_000);
const count = Number(values.seeds ?? (values.seed ? 1 : 10_000));
let hasBreaches = false;
for (let seed = first; seed < first + count; seed++) {
  const run = runOf(seed, Number(values.weeks), values.postgres);
  if (values.bursts) run.plan.bursts.splice(Number(values.bursts));
  const began = hrtime();
  const { trace, breaches, calls, gates, lines } = await simulate(run);
  const seconds = hrtime(began)[0];
  console.log(`seed ${seed}: trace ${trace.slice(0, 16)}, ${calls} calls, ${gates} gates, ${seconds} s`);
  for (const { at, burst, sentence } of breaches) console.log(`  ${at.toISOString()}, burst ${burst}: ${sentence}`);
  if (breaches.length > 0 && Number(values.minutes) > 0) {
    run.plan.bursts = run.plan.bursts.filter(({ n }) => n <= breaches[0]!.burst);
    const shortest = await shrink(run, breaches[0]!.sentence, minutesInMs(Number(values.minutes)));
    console.log(`shortest script:\n  ${scriptOf(shortest).join("\n  ")}`);
  }
  if (values.verbose) console.log(lines.join("\n"));
  hasBreaches ||= breaches.length > 0;
}
process.exit(hasBreaches ? 1 : 0);
