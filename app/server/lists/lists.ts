import type { CallName, Calls } from "#provider/contract/calls.ts";
import { fold } from "#storage/text.ts";
import type { ProviderClient } from "../provider/client-types.ts";

/** Lists as pages show them: the part that the address asks for, whether the provider or we cut it out. */

/** How many rows a page can have (`docs/specification.md` section 9, `docs/look.md` section 6); the first is the usual. */
const pageSizes: readonly number[] = [5, 10, 25, 50];

/** A list's wishes as its address has them, and the page sizes that can be wished for. */
export type ListQuery = {
  filters: Record<string, string>;
  sort: string;
  page: number;
  /** The provider's cursors for the page, where Previous or Next led to it. */
  after?: string | undefined;
  before?: string | undefined;
  perPage: number;
  sizes: readonly number[];
};

/** Reads the wishes from an address; what makes no sense there counts as not said. */
export function parseListQuery(
  url: URL,
  filterNames: readonly string[],
  columns: readonly string[],
  sizes: readonly number[] = pageSizes,
): ListQuery {
  const { searchParams } = url;
  const filters = Object.fromEntries(
    filterNames.map((name) => [name, (searchParams.get(name) ?? "").trim().slice(0, 200)]).filter(([, value]) => value),
  ) as Record<string, string>;
  const sort = searchParams.get("sort") ?? "";
  const page = Number(searchParams.get("page"));
  const perPage = Number(searchParams.get("per_page"));
  return {
    filters,
    sort: columns.includes(sort.replace(/^-/, "")) ? sort : "",
    page: Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    ...(searchParams.has("after") && { after: searchParams.get("after")! }),
    ...(searchParams.has("before") && { before: searchParams.get("before")! }),
    perPage: sizes.includes(perPage) ? perPage : sizes[0]!,
    sizes,
  };
}

/**
 * A part of a list: `shown` counts its rows, `total` those that the filters leave, `sizes` are the page sizes to choose
 * from.
 */
export type ListPart<Row> = {
  rows: Row[];
  shown: number;
  total: number;
  isCapped: boolean;
  /** Whether a short text was looked for among the newest rows only. */
  isPartial: boolean;
  /** Cursors of the pages beside it, of a provider that gives them. */
  next?: string | undefined;
  previous?: string | undefined;
  page: number;
  perPage: number;
  sizes: readonly number[];
};

type ListName = {
  [Name in CallName]: Calls[Name] extends { query: { shape: { per_page: unknown } } } ? Name : never;
}[CallName];
type RowOf<Name extends ListName> = Awaited<ReturnType<ProviderClient[Name]>> extends (infer Row)[] ? Row : never;

/** How a list is asked for and, where the provider filters nothing, filtered here. */
type ListOptions = {
  /** Filters that a value must equal. */
  exact?: string[];
  /** Filters that are not about the field of their name: whether a row passes. */
  customFilters?: Record<string, (row: never, value: string) => boolean>;
  /** Filters that always apply. */
  fixedFilters?: Record<string, string>;
  /** Of the record whose list it is. */
  params?: Record<string, string>;
};

/**
 * Asks for a part of a list. A provider that answers with the whole list has filtered nothing: then it is filtered,
 * sorted and cut here, in the same way. A page beyond the last shows the first.
 */
export async function readList<Name extends ListName>(
  provider: ProviderClient,
  name: Name,
  query: ListQuery,
  options: ListOptions = {},
): Promise<ListPart<RowOf<Name>>> {
  const { page, before, perPage, sizes } = query;
  const part = await ask(provider, name, query, options);
  const { total } = part;
  if (total === undefined) return filterAndPage(part.rows, query, options);
  // Before what was the second page's first row there may be fewer rows by now, or more.
  const isShort = before !== undefined && (page === 1 || part.rows.length < perPage);
  if ((part.rows.length === 0 && page > 1) || isShort) {
    return readList(provider, name, { ...query, page: 1, after: undefined, before: undefined }, options);
  }
  return { ...part, shown: part.rows.length, total, page, perPage, sizes };
}

const chunkRows = 100;

/** All that the filters leave, in chunks: each is asked for when the one before has been used. */
export async function* readAll<Name extends ListName>(
  provider: ProviderClient,
  name: Name,
  query: ListQuery,
  options: ListOptions = {},
): AsyncGenerator<RowOf<Name>[]> {
  let before = new Set<number>();
  let received = 0;
  let after: string | undefined;
  for (let page = 1; ; page++) {
    const part = await ask(provider, name, { ...query, page, after, before: undefined, perPage: chunkRows }, options);
    const { rows, total, isCapped, next } = part;
    if (total === undefined) return yield* filterAll(rows, query, options);
    // What was added meanwhile moves others on to the next page; a provider that knows no pages repeats its rows.
    const fresh = (rows as { id: number }[]).filter(({ id }) => !before.has(id));
    if (fresh.length === 0) return;
    yield fresh as RowOf<Name>[];
    received += rows.length;
    if (next === undefined && (after !== undefined || (received >= total && !isCapped))) return;
    after = next;
    before = new Set((rows as { id: number }[]).map(({ id }) => id));
  }
}

/** The same of a whole list. */
export async function* filterAll<Row>(all: Row[], query: ListQuery, options: ListOptions = {}): AsyncGenerator<Row[]> {
  const { rows } = filterAndPage(all, { ...query, page: 1, perPage: Math.max(all.length, 1) }, options);
  for (let at = 0; at < rows.length; at += chunkRows) yield rows.slice(at, at + chunkRows);
}

async function ask<Name extends ListName>(
  provider: ProviderClient,
  name: Name,
  { filters, sort, page, after, before, perPage }: ListQuery,
  { fixedFilters = {}, params }: ListOptions,
) {
  const place = { page: String(page), per_page: String(perPage), after, before };
  const query = { ...filters, ...fixedFilters, sort: sort || undefined, ...place };
  const part = await provider.list(name, query as never, params);
  return { ...part, rows: part.rows as RowOf<Name>[] };
}

/** Whether a text is somewhere in another, whatever the case. */
export const containsText = (text: string, whole: string) => fold(whole).includes(fold(text));

/** Each value once, and no empty ones. */
export const distinct = (values: string[]) => [...new Set(values)].filter(Boolean);

/** Filters, sorts and cuts a whole list: substrings in any case, exact where the contract says so. */
export function filterAndPage<Row>(
  all: Row[],
  query: ListQuery,
  { exact = [], customFilters = {} }: ListOptions = {},
): ListPart<Row> {
  const { filters, sort, page, perPage, sizes } = query;
  const cell = (row: Row, name: string) => fold(String((row as Record<string, unknown>)[name] ?? ""));
  const matching = all.filter((row) =>
    Object.entries(filters).every(([name, value]) => {
      if (customFilters[name]) return customFilters[name](row as never, value);
      return exact.includes(name) ? cell(row, name) === fold(value) : cell(row, name).includes(fold(value));
    }),
  );
  const column = sort.replace(/^-/, "");
  const direction = sort.startsWith("-") ? -1 : 1;
  if (column) {
    matching.sort((a, b) => direction * cell(a, column).localeCompare(cell(b, column), "en", { numeric: true }));
  }
  const first = (page - 1) * perPage;
  const shown = first < matching.length ? page : 1;
  const rows = matching.slice((shown - 1) * perPage, shown * perPage);
  return {
    rows,
    shown: rows.length,
    total: matching.length,
    isCapped: false,
    isPartial: false,
    page: shown,
    perPage,
    sizes,
  };
}
