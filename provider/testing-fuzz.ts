import fc from "fast-check";

/** How a run fuzzes: from which seed, and with how many random cases for each form and endpoint. */
export type Fuzzing = { seed: number; cases: number };

type Options<T> = {
  examples: [T][];
  /** How many of the random cases it gets, as a part of one. */
  share?: number;
  /** Runs the test alone. */
  command: string;
};

/** Tries a property with the examples and then with random cases. A failure says how to repeat it. */
export function fuzz<T>(
  { seed, cases }: Fuzzing,
  property: fc.IAsyncProperty<[T]>,
  { examples, share = 1, command }: Options<T>,
): Promise<void> {
  return fc.assert(property, {
    seed,
    examples,
    numRuns: examples.length + Math.ceil(cases * share),
    asyncReporter: async (run) => {
      if (!run.failed) return;
      throw new Error(
        `${fc.defaultReportMessage(run)}\nTo repeat it: FUZZ_SEED=${seed} FUZZ_CASES=${cases} ${command}`,
      );
    },
  });
}
