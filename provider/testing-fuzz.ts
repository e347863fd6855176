import fc from "fast-check";
import { environment } from "#config";
import { nasty } from "./testing-texts.ts";

/** The seed of this run, which the tests' configurations set: another one every day, or FUZZ_SEED. */
const seed = Number(environment.FUZZ_SEED);

/** How many random cases each form and endpoint gets, after those with the nasty texts. */
export const fuzzCases = Number(environment.FUZZ_CASES ?? 60);

/** One case for each nasty text, for what comes before all random ones. */
export const withEachNasty = <T>(caseOf: (text: string) => T): [T][] => nasty.map((text) => [caseOf(text)]);

/**
 * Tries a property with the examples and then with random cases. The failure says how to repeat it; `test` is the file.
 */
export function fuzz<T>(
  test: string,
  property: fc.IAsyncProperty<[T]>,
  { examples = [] as [T][], cases = fuzzCases } = {},
) {
  return fc.assert(property, {
    seed,
    examples,
    numRuns: examples.length + cases,
    asyncReporter: async (run) => {
      if (!run.failed) return;
      throw new Error(`${fc.defaultReportMessage(run)}\nTo repeat it: FUZZ_SEED=${seed} FUZZ_CASES=${fuzzCases} ${test}`);
    },
  });
}
