import { expect, test } from "vitest";
import { pick, readWish } from "./lists.ts";

const rows = [
  { name: "Lease", branch: "Preston", date: "2026-11-02" },
  { name: "leasehold", branch: "Lancaster", date: "2026-11-10" },
  { name: "Permit 10", branch: "Preston", date: "2026-11-01" },
  { name: "Permit 9", branch: "Preston", date: "2026-11-03" },
];
const sizes = [5, 10, 25, 50];
const wish = { filters: {}, sort: "", page: 1, perPage: 5, sizes };
const names = (part: { rows: { name: string }[] }) => part.rows.map(({ name }) => name);

test("a whole list is filtered by pieces in any case, or exactly where that is asked for", () => {
  expect(names(pick(rows, { ...wish, filters: { name: "LEASE" } }))).toEqual(["Lease", "leasehold"]);
  expect(names(pick(rows, { ...wish, filters: { branch: "prest" } }, { exact: ["branch"] }))).toEqual([]);
  expect(
    names(pick(rows, { ...wish, filters: { branch: "Preston", name: "permit" } }, { exact: ["branch"] })),
  ).toHaveLength(2);
});

test("a whole list is sorted both ways, numbers by their size", () => {
  expect(names(pick(rows, { ...wish, sort: "name" }))).toEqual(["Lease", "leasehold", "Permit 9", "Permit 10"]);
  expect(names(pick(rows, { ...wish, sort: "-date" }))[0]).toBe("leasehold");
});

test("a page beyond the last shows the first", () => {
  expect(pick(rows, { ...wish, page: 2, perPage: 3 })).toMatchObject({ page: 2, total: 4, rows: [rows[3]] });
  expect(pick(rows, { ...wish, page: 9, perPage: 3 })).toMatchObject({ page: 1, rows: rows.slice(0, 3) });
});

test("what makes no sense in an address counts as not said", () => {
  const url = new URL("http://x/?name=%20a%20&sort=colour&page=-3&per_page=7&other=x");
  expect(readWish(url, ["name", "email"], ["name"])).toEqual({ ...wish, filters: { name: "a" } });
  const good = new URL("http://x/?sort=-name&page=2&per_page=25");
  expect(readWish(good, [], ["name"])).toEqual({ ...wish, sort: "-name", page: 2, perPage: 25 });
  expect(readWish(good, [], ["name"], [4, 10])).toEqual({
    ...wish,
    sort: "-name",
    page: 2,
    perPage: 4,
    sizes: [4, 10],
  });
});
