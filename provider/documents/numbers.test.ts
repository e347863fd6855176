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

test.each(["NM-٤C٧H٢٩", "NM-४C७H२९", "ＮＭ－４Ｃ７Ｈ２９", "NМ-4С7Н29"])("%s is typed by another keyboard", (typed) => {
  expect(compareAsRead(typed, "NM-4C7H29")).toBe("same");
  expect(compareAsRead(typed, "NM-4C7H28")).toBe("other");
});

test("a number in another script is its own", () => {
  expect(compareAsRead("дог-١٢", "ДОГ-12")).toBe("same");
  expect(compareAsRead("ДОГ-12", "ДОГ-13")).toBe("other");
});
