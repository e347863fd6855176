import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { makeSampleData, sampleData } from "../support/sample.ts";
import { measureCold } from "./cold.ts";
import { type Figure, isMet, median } from "./figures.ts";
import { measureLog } from "./log.ts";
import { measurePages } from "./pages.ts";
import { measureRequests } from "./requests.ts";
import { keepResults } from "./results.ts";
import { measureScripts } from "./scripts.ts";
import { measureStarts } from "./starts.ts";
import { measureVerdicts } from "./verdicts.ts";

/**
 * `npm run bench`: the figures that Sealdesk promises, measured on this machine and kept in `docs/performance/`. Ends
 * with 1 if one is missed. `npm run bench -- pages cold` measures some parts alone, `-- --quick` the shorter ones with
 * less of everything; that is a look, which is not kept.
 */
const parts = {
  pages: measurePages,
  requests: measureRequests,
  verdicts: measureVerdicts,
  log: measureLog,
  scripts: measureScripts,
  starts: measureStarts,
  cold: measureCold,
} satisfies Record<string, (quick: boolean) => Promise<Figure[]>>;

type Part = keyof typeof parts;
const quickParts: Part[] = ["requests", "verdicts", "starts"];

const chosenParts = process.argv.slice(2).filter((word): word is Part => word in parts);
const isQuick = process.argv.includes("--quick");
const all = isQuick ? quickParts : (Object.keys(parts) as Part[]);

rmSync(sampleData, { recursive: true, force: true });
await makeSampleData();
for (const part of chosenParts.length > 0 ? chosenParts : all) {
  const before = control();
  const figures = await parts[part](isQuick);
  const drift = Math.abs(control() / before - 1);
  console.log(`\n${part}`);
  for (const figure of figures) report(figure);
  if (drift > 0.1) {
    const percent = Math.round(drift * 100);
    console.log(`! The machine’s speed changed by ${percent} % during this part: its ratios hold, its times do not.`);
  }
  if (!isQuick) keepResults(part, figures, drift);
}

/** How many seconds this machine takes for the same work just now, the median of five. */
function control() {
  const content = Buffer.alloc(20_000_000, "sealdesk");
  const once = () => {
    const startedAt = performance.now();
    createHash("sha256").update(content).digest();
    return (performance.now() - startedAt) / 1000;
  };
  return median(Array.from({ length: 5 }, once));
}

function report(figure: Figure) {
  const { what, value, unit, atMost, atLeast } = figure;
  const limit = atMost !== undefined ? ` (at most ${atMost})` : atLeast !== undefined ? ` (at least ${atLeast})` : "";
  const digits = { s: 3, times: 2, requests: 0, points: 0, documents: 0 }[unit as string] ?? 1;
  console.log(`${isMet(figure) ? "  " : "! "}${what.padEnd(72)}${value.toFixed(digits).padStart(8)} ${unit}${limit}`);
  // A look at a moment of the machine judges nothing.
  if (!isMet(figure) && !isQuick) process.exitCode = 1;
}
