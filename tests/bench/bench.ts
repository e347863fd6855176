import { rmSync } from "node:fs";
import { makeSampleData, sampleData } from "../support/sample.ts";
import { measureFaults } from "./faults.ts";
import { measureStarts } from "./starts.ts";
import { measureScripts } from "./scripts.ts";
import { measureUploads } from "./uploads.ts";

/** `npm run bench`: the figures that Sealdesk promises, measured on this machine. Ends with 1 where one is missed. */

/** One measured value with its unit and the most it may be. */
export type Figure = { what: string; value: number; unit: "MB" | "kB gz" | "s"; atMost: number };

rmSync(sampleData, { recursive: true, force: true });
makeSampleData();
for (const measure of [measureStarts, measureFaults, measureScripts, measureUploads]) {
  for (const figure of await measure()) report(figure);
}

function report({ what, value, unit, atMost }: Figure) {
  const isMet = value <= atMost;
  console.log(
    `${isMet ? "  " : "! "}${what.padEnd(62)}${value.toFixed(unit === "s" ? 2 : 1).padStart(7)} ${unit} (at most ${atMost})`,
  );
  if (!isMet) process.exitCode = 1;
}
