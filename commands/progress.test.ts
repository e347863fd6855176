import { expect, test, vi } from "vitest";
import { printFirst } from "./progress.ts";

test("of a hundred thousand faults a hundred are printed, and then that the others are counted", () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  const print = printFirst("Faults");
  for (let n = 1; n <= 100_000; n++) print(`fault: ${n}`);
  expect(log.mock.calls.length).toBe(101);
  expect(log.mock.calls.at(-1)).toEqual(["Faults after these 100 are only counted."]);
  log.mockRestore();
});
