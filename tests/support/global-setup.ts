import { rmSync } from "node:fs";
import { makeSampleData, sampleData } from "./sample.ts";

/** Before all journeys: the sample company, fresh. */
export default function setUp() {
  rmSync(sampleData, { recursive: true, force: true });
  makeSampleData();
}
