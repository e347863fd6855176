import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import compile from "icu-minify/compile";
import { fill, fillWith } from "./fill.ts";

const filled = (message: string, values: Parameters<typeof fill>[2]) => fill("en-GB", compile(message), values);

test("staff's messages count by plurals, with the thousands apart", () => {
  const message = "{count, plural, one {# page} other {# pages}}";
  expect([1, 2, 1234].map((count) => filled(message, { count }))).toEqual(["1 page", "2 pages", "1,234 pages"]);
});

test("staff's messages show names and numbers as they are", () => {
  expect(filled("Copy {copy} of {name}", { copy: 1234, name: "{x} <b>" })).toBe("Copy 1234 of {x} <b>");
});

test("elements stand around their words, whatever else is filled in", () => {
  const message = compile("{name}: read <link>all <b>{count} rules</b></link> first");
  const shown = fillWith("en-GB", message, {
    name: "<i>A</i>",
    count: 3,
    link: (words) => createElement("a", { href: "/rules" }, words),
    b: (words) => createElement("b", null, words),
  });
  expect(renderToStaticMarkup(shown as never)).toBe(
    '&lt;i&gt;A&lt;/i&gt;: read <a href="/rules">all <b>3 rules</b></a> first',
  );
});
