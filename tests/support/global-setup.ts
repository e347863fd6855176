import { rmSync } from "node:fs";
import { startPostgresAndS3 } from "./postgres-s3.ts";
import { makeSampleData, sampleData } from "./sample.ts";

/** Makes the sample company anew before all browser tests, on each storage. */
export default async function setUp() {
  rmSync(sampleData, { recursive: true, force: true });
  const [stopPostgresAndS3] = await Promise.all([startPostgresAndS3(), makeSampleData()]);
  return stopPostgresAndS3;
}
