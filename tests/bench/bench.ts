import { rmSync } from "node:fs";
import { makeSampleData, sampleData } from "../support/sample.ts";
import { measureFaults } from "./faults.ts";
import { measureLists } from "./lists.ts";
import { measureScans } from "./scans.ts";
import { measureStarts } from "./starts.ts";
import { measureScripts } from "./scripts.ts";
import { measureUploads } from "./uploads.ts";

/** `npm run bench`: the figures that Sealdesk promises, measured on this machine. Ends with 1 where one is missed. */

/** One measured value with its unit and the most it may be, where that is promised. */
export type Figure = { what: string; value: number; unit: "MB" | "kB gz" | "s" | "/s" | "times"; atMost?: number };

rmSync(sampleData, { recursive: true, force: true });
makeSampleData();
for (const measure of [measureStarts, measureFaults, measureScripts, measureUploads, measureScans, measureLists]) {
  for (const figure of await measure()) report(figure);
}

function report({ what, value, unit, atMost }: Figure) {
  const isMet = atMost === undefined || value <= atMost;
  const limit = atMost === undefined ? "" : ` (at most ${atMost})`;
  console.log(
    `${isMet ? "  " : "! "}${what.padEnd(62)}${value.toFixed(unit === "s" ? 3 : 1).padStart(8)} ${unit}${limit}`,
  );
  if (!isMet) process.exitCode = 1;
}
