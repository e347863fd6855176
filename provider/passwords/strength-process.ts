import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import type { Estimate, EstimateCall } from "./strength.ts";

/**
 * Estimates password strength in a process of its own: the dictionaries take more than 100 MB, and an estimate blocks
 * for up to a quarter of a second.
 */

// Bounds the work, which grows with the square of the length and with each reading of `4` as `a`.
const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  maxLength: 64,
  l33tMaxSubstitutions: 8,
});

process.title = "sealdesk password strength";
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", ({ password, ownWords }: EstimateCall) => {
  const { score, sequence } = estimator.check(password, ownWords);
  const usesOwnWords = sequence.some((part) => "dictionaryName" in part && part.dictionaryName === "userInputs");
  process.send?.({ score, usesOwnWords } satisfies Estimate);
});
