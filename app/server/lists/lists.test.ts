import { expect, test } from "vitest";
import { filterAndPage, parseListQuery } from "./lists.ts";

const rows = [
  { name: "Lease", branch: "Preston", date: "2026-11-02" },
  { name: "leasehold", branch: "Lancaster", date: "2026-11-10" },
  { name: "Permit 10", branch: "Preston", date: "2026-11-01" },
  { name: "Permit 9", branch: "Preston", date: "2026-11-03" },
];
const sizes = [5, 10, 25, 50];
const query = { filters: {}, sort: "", page: 1, perPage: 5, sizes };
const names = (part: { rows: { name: string }[] }) => part.rows.map(({ name }) => name);

test("a whole list is filtered by pieces in any case, or exactly where the filter says so", () => {
  expect(names(filterAndPage(rows, { ...query, filters: { name: "LEASE" } }))).toEqual(["Lease", "leasehold"]);
  expect(names(filterAndPage(rows, { ...query, filters: { branch: "prest" } }, { exact: ["branch"] }))).toEqual([]);
  expect(
    names(filterAndPage(rows, { ...query, filters: { branch: "Preston", name: "permit" } }, { exact: ["branch"] })),
  ).toHaveLength(2);
});

test("a whole list is sorted both ways, numbers by their size", () => {
  expect(names(filterAndPage(rows, { ...query, sort: "name" }))).toEqual([
    "Lease",
    "leasehold",
    "Permit 9",
    "Permit 10",
  ]);
  expect(names(filterAndPage(rows, { ...query, sort: "-date" }))[0]).toBe("leasehold");
});

test("a page beyond the last shows the first", () => {
  expect(filterAndPage(rows, { ...query, page: 2, perPage: 3 })).toMatchObject({ page: 2, total: 4, rows: [rows[3]] });
  expect(filterAndPage(rows, { ...query, page: 9, perPage: 3 })).toMatchObject({ page: 1, rows: rows.slice(0, 3) });
});

test("what makes no sense in an address counts as not said", () => {
  const url = new URL("http://x/?name=%20a%20&sort=colour&page=-3&per_page=7&other=x");
  expect(parseListQuery(url, "listUsers", ["name", "email"])).toEqual({ ...query, filters: { name: "a" } });
  const good = new URL("http://x/?sort=-name&page=2&per_page=25");
  expect(parseListQuery(good, "listMembers")).toEqual({ ...query, sort: "-name", page: 2, perPage: 25 });
  expect(parseListQuery(good, "listMembers", [], [4, 10])).toEqual({
    ...query,
    sort: "-name",
    page: 2,
    perPage: 4,
    sizes: [4, 10],
  });
});
