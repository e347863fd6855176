import { expect, test } from "vitest";
import { choiceOf, stateChoices } from "./rows.tsx";

test("the filter by state has the same values in every language, as addresses hold them", () => {
  const values = stateChoices.map(({ value }) => value);
  expect(values).toEqual(["New", "Changed", "Unchanged", "Refused", "Added", "Saved"]);
});

test("a row's state is found by its value in any case", () => {
  expect(choiceOf("saved")?.state).toBe("saved");
  expect([choiceOf("gone"), choiceOf()]).toEqual([undefined, undefined]);
});
