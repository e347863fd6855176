import { expect, test } from "vitest";
import { containsText, distinct, filterAndPage, parseListQuery, readAll, readList } from "./lists.ts";

const rows = [
  { name: "Lease", branch: "Preston", date: "2026-11-02" },
  { name: "leasehold", branch: "Lancaster", date: "2026-11-10" },
  { name: "Permit 10", branch: "Preston", date: "2026-11-01" },
  { name: "Permit 9", branch: "Preston", date: "2026-11-03" },
];
const sizes = [5, 10, 25, 50];
const query = { filters: {}, sort: "", page: 1, perPage: 5, sizes };
const names = (part: { rows: { name: string }[] }) => part.rows.map(({ name }) => name);

test("a whole list is filtered by pieces in any case, or exactly if the filter says so", () => {
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
  expect(filterAndPage(rows, { ...query, page: 3, perPage: 2 })).toMatchObject({ page: 1, rows: rows.slice(0, 2) });
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

type Part = { rows: { id: number }[]; total?: number; next?: string; previous?: string; isCapped?: boolean };

/** A provider that answers `list` with one part after the other, and the queries that it got. */
function providerOf(...parts: Part[]) {
  const queries: Record<string, unknown>[] = [];
  const list = async (_name: string, query: Record<string, unknown>) => {
    queries.push(query);
    return { isCapped: false, isPartial: false, ...parts[queries.length - 1]! };
  };
  return { queries, provider: { list } as never };
}
const idRows = (count: number, first = 1) => Array.from({ length: count }, (_, n) => ({ id: first + n }));

test("a page of a list is read with its filters, sort, position and size", async () => {
  const { provider, queries } = providerOf({ rows: idRows(5), total: 12, next: "n", previous: "p" });
  const part = await readList(
    provider,
    "listDocuments",
    { ...query, filters: { name: "a" }, sort: "-name", page: 2, after: "x" },
    { fixedFilters: { status: "active" } },
  );
  expect(queries).toEqual([
    { name: "a", status: "active", sort: "-name", page: "2", per_page: "5", after: "x", before: undefined },
  ]);
  expect(part).toMatchObject({ shown: 5, total: 12, page: 2, perPage: 5, sizes, next: "n", previous: "p" });
});

test.each([
  ["a page beyond the last", { page: 3 }, 0],
  ["a first page by Previous", { page: 1, before: "x" }, 5],
  ["a page by Previous that has lost rows", { page: 2, before: "x" }, 4],
])("%s shows the first page", async (_, change, count) => {
  const { provider, queries } = providerOf({ rows: idRows(count), total: 9 }, { rows: idRows(5), total: 9 });
  expect(await readList(provider, "listDocuments", { ...query, ...change })).toMatchObject({ page: 1, shown: 5 });
  expect(queries[1]).toMatchObject({ page: "1", sort: undefined, after: undefined, before: undefined });
});

test.each([
  ["a whole page by Previous", { page: 2, before: "x" }, 5],
  ["the last page", { page: 2, after: "x" }, 4],
  ["an empty list", {}, 0],
])("%s is shown as it is", async (_, change, count) => {
  const { provider, queries } = providerOf({ rows: idRows(count), total: 9 });
  expect((await readList(provider, "listDocuments", { ...query, ...change })).shown).toBe(count);
  expect(queries).toHaveLength(1);
});

test("a list that a provider returns whole is filtered and paged here", async () => {
  const { provider } = providerOf({ rows: idRows(12) });
  const part = await readList(provider, "listDocuments", { ...query, page: 3 });
  expect(part).toMatchObject({
    rows: [{ id: 11 }, { id: 12 }],
    shown: 2,
    total: 12,
    isCapped: false,
    isPartial: false,
  });
});

const allOf = async (provider: never, change: object = {}) => {
  const chunks = await Array.fromAsync(readAll(provider, "listDocuments", { ...query, before: "x", ...change }));
  return chunks.map((rows) => rows.map(({ id }) => id));
};

test("all rows are read a hundred at a time, by cursors", async () => {
  const { provider, queries } = providerOf(
    { rows: idRows(2), total: 4, next: "a" },
    { rows: idRows(2, 3), total: 4, next: "b" },
    { rows: idRows(1, 5), total: 4 },
  );
  expect(await allOf(provider)).toEqual([[1, 2], [3, 4], [5]]);
  expect(queries.map(({ page, per_page, after, before }) => [page, per_page, after, before])).toEqual([
    ["1", "100", undefined, undefined],
    ["2", "100", "a", undefined],
    ["3", "100", "b", undefined],
  ]);
});

test("all rows are read by pages of a provider without cursors, each once, until all are there or none is new", async () => {
  const shifted = providerOf({ rows: idRows(2), total: 3 }, { rows: idRows(2, 2), total: 4 });
  expect(await allOf(shifted.provider)).toEqual([[1, 2], [3]]);
  const repeating = providerOf({ rows: idRows(2), total: 9 }, { rows: idRows(2), total: 9 });
  expect(await allOf(repeating.provider)).toEqual([[1, 2]]);
  const capped = providerOf({ rows: idRows(2), total: 2, isCapped: true }, { rows: [], total: 2, isCapped: true });
  expect(await allOf(capped.provider)).toEqual([[1, 2]]);
  expect(capped.queries).toHaveLength(2);
});

test("all rows of a list that comes whole are filtered, and come in chunks of a hundred", async () => {
  const { provider } = providerOf({ rows: idRows(200) });
  expect((await allOf(provider)).map((chunk) => chunk.length)).toEqual([100, 100]);
  const filtered = providerOf({ rows: idRows(250) });
  expect(await allOf(filtered.provider, { filters: { id: "25" }, page: 4 })).toEqual([[25, 125, 225, 250]]);
});

test("filters of a list's own decide by row and value; a value that is missing counts as empty", () => {
  const isLong = (row: never, value: string) => (row as { name: string }).name.length > Number(value);
  const part = filterAndPage(rows, { ...query, filters: { name: "8" } }, { customFilters: { name: isLong } });
  expect(names(part)).toEqual(["leasehold", "Permit 10"]);
  expect(part).toMatchObject({ shown: 2, total: 2, isCapped: false, isPartial: false, perPage: 5, sizes });
  expect(filterAndPage(rows, { ...query, filters: { city: "x" } }).rows).toEqual([]);
  expect(filterAndPage(rows, { ...query, filters: { city: "" } }).rows).toHaveLength(4);
});

test("texts contain others whatever their case and accents, and values are listed once without empty ones", () => {
  expect([containsText("cafe", "Grand CAFÉ"), containsText("cafes", "Café")]).toEqual([true, false]);
  expect(distinct(["b", "", "a", "b"])).toEqual(["b", "a"]);
});

test("a page number and filters are bounded, and cursors are kept", () => {
  const parsed = (search: string) => parseListQuery(new URL(`http://x/?${search}`), "listUsers", ["name"]);
  expect(["1000000", "1000001", "1.5", "0"].map((page) => parsed(`page=${page}`).page)).toEqual([1_000_000, 1, 1, 1]);
  expect(parsed(`name=${"a".repeat(201)}`).filters.name).toHaveLength(200);
  expect(parsed("after=a&before=b")).toMatchObject({ after: "a", before: "b" });
  expect(Object.keys(parsed(""))).not.toContain("after");
  expect([parsed("sort=name").sort, parsed("sort=na-me").sort]).toEqual(["name", ""]);
});
