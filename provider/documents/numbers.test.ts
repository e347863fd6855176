import { expect, test } from "vitest";
import { compareAsRead } from "./numbers.ts";

test.each([
  ["NM-4C7H29", "same"],
  ["nm 4c7h29", "same"],
  ["ＮＭ－４Ｃ７Ｈ２９", "same"],
  ["NM-4C7H2", "other"],
  ["", ""],
  [" – ", ""],
])("“%s” beside NM-4C7H29 is %s", (typed, expected) => {
  expect(compareAsRead(typed, "NM-4C7H29")).toBe(expected);
});

test("characters that are misread on paper are no difference", () => {
  expect(compareAsRead("NM-1O0I", "NM-I00L")).toBe("same");
  expect(compareAsRead("№ 7", "№ 8")).toBe("other");
});
