import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plantedFaults } from "./planted-faults.ts";

test.each(Object.entries(plantedFaults))("the fault “%s” fits into the source as it is", (_, { file, from }) => {
  expect(readFileSync(join(import.meta.dirname, "../..", file), "utf8").split(from)).toHaveLength(2);
});
