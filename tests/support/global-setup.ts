import { rmSync } from "node:fs";
import { startPostgresAndS3 } from "./postgres-s3.ts";
import { makeSampleData, sampleData } from "./sample.ts";

/** Before all journeys: the sample company, fresh, on this disk and elsewhere. */
export default async function setUp() {
  rmSync(sampleData, { recursive: true, force: true });
  const [endElsewhere] = await Promise.all([startPostgresAndS3(), makeSampleData()]);
  return endElsewhere;
}
