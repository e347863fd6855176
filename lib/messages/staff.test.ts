import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { choose, joined, number, plural } from "./filling.ts";

test("staff's numbers have the thousands apart", () => {
  expect(number("en-GB", 1234)).toBe("1,234");
  expect(number("de", 1234)).toBe("1.234");
});

test("plurals go by the language, exact counts first", () => {
  const forms = { "=0": "żadna", one: "strona", few: "strony", other: "stron" };
  expect([0, 1, 2, 5].map((count) => plural("pl", count, forms))).toEqual(["żadna", "strona", "strony", "stron"]);
});

test("a word that a message does not know is its other one, whatever objects have", () => {
  expect(["lost", "constructor", ""].map((word) => choose(word, { lost: "Lost", other: "Gone" }))).toEqual([
    "Lost",
    "Gone",
    "Gone",
  ]);
});

test("words and elements stand beside each other without keys", () => {
  const element = joined("Read ", createElement("a", null, "more"), " first");
  expect(renderToStaticMarkup(element as never)).toBe("Read <a>more</a> first");
});
