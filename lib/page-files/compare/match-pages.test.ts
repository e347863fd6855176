import { expect, test } from "vitest";
import { matchPages } from "./match-pages.ts";

/** Pages by name: those that begin with the same letter look alike, and equal ones the same. */
const match = (document: string[], file: string[]) =>
  matchPages({
    pages: document.length,
    filePages: file.length,
    isSame: (page, filePage) => document[page] === file[filePage],
    distance: (page, filePage) =>
      document[page] === file[filePage] ? 0 : document[page]![0] === file[filePage]![0] ? 0.2 : 0.9,
  });

test.each([
  ["the same", "a b c", "a b c", {}],
  ["changed", "a b c", "a b2 c", { changed: [[1, 1]] }],
  ["replaced in its place", "a b c", "a x c", { changed: [[1, 1]] }],
  ["removed", "a b c", "a c", { removed: [1] }],
  ["added", "a b c", "a x b c", { added: [1] }],
  [
    "swapped",
    "a b c",
    "b a c",
    {
      moved: [
        [1, 0],
        [0, 1],
      ],
    },
  ],
  ["removed, and the next changed", "a b c d", "a c2 d", { removed: [1], changed: [[2, 1]] }],
  ["moved behind an added one", "a b c d", "b c x a d", { moved: [[0, 3]], added: [2] }],
  ["there twice", "a a b", "a b", { removed: [1] }],
  ["of another document", "a b", "x y z", { removed: [0, 1], added: [0, 1, 2] }],
])("a page is found that was %s", (_, document, file, expected) => {
  const { same: _same, ...matches } = match(document.split(" "), file.split(" "));
  const nothing = { moved: [], changed: [], removed: [], added: [] };
  expect(matches).toEqual({ ...nothing, ...expected });
});
