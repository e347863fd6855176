import { expect, test } from "vitest";
import { choiceOf, stateChoices } from "./webhook-words.ts";

test("the filter by state has the same values in every language, as addresses hold them", () => {
  expect(stateChoices.map(({ value }) => value)).toEqual(["Waiting", "Delivered", "Given up"]);
});

test("a delivery's state is found by its value in any case", () => {
  expect(choiceOf("given up")?.state).toBe("failed");
  expect([choiceOf("failed"), choiceOf("")]).toEqual([undefined, undefined]);
});
