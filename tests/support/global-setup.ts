import { rmSync } from "node:fs";
import { startElsewhere } from "./elsewhere.ts";
import { makeSampleData, sampleData } from "./sample.ts";

/** Before all journeys: the sample company, fresh, on this disk and elsewhere. */
export default async function setUp() {
  rmSync(sampleData, { recursive: true, force: true });
  const [endElsewhere] = await Promise.all([startElsewhere(), makeSampleData()]);
  return endElsewhere;
}
