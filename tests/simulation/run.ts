import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { parseArgs } from "node:util";
import { hrtime } from "node:process";
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
useMemoryForTemporaryFiles();
patchProcess();
gateDatabases();
const { simulate, runOf } = await import("./simulate.ts");

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    weeks: { type: "string", default: "2" },
    bursts: { type: "string", default: "" },
    verbose: { type: "boolean", default: false },
  },
});

const first = Number(values.seed);
let hasBreaches = false;
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const run = runOf(seed, Number(values.weeks));
  if (values.bursts) run.plan.bursts.splice(Number(values.bursts));
  const began = hrtime();
  const { trace, breaches, calls, gates, lines } = await simulate(run);
  const seconds = hrtime(began)[0];
  console.log(`seed ${seed}: trace ${trace.slice(0, 16)}, ${calls} calls, ${gates} gates, ${seconds} s`);
  for (const { at, burst, sentence } of breaches) console.log(`  ${at.toISOString()}, burst ${burst}: ${sentence}`);
  if (values.verbose) console.log(lines.join("\n"));
  hasBreaches ||= breaches.length > 0;
}
process.exit(hasBreaches ? 1 : 0);
