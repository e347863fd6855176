import { expect, test } from "vitest";
import { durationInWords } from "./duration-words.ts";

test.each([
  [0, "less than 1 min"],
  [60, "1 min"],
  [45 * 60, "45 min"],
  [4 * 3600 + 600, "4 h"],
  [47 * 3600, "47 h"],
  [3 * 86_400, "3 days"],
  [1200 * 86_400, "1,200 days"],
])("%i seconds are %s", (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});
