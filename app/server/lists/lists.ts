import { type Call } from "#provider/contract/call.ts";
import { type CallName, type Calls, calls, type FilterOf } from "#provider/contract/calls.ts";
import { fold } from "#lib/text.ts";
import type { ProviderClient } from "../provider/client-types.ts";
import { preferredRows } from "./list-state.ts";

/** Rows per page (`docs/specification.md` section 9, `docs/look.md` section 6); the first until another is chosen. */
const pageSizes: readonly number[] = [5, 10, 25, 50];

export type ListQuery = {
  filters: Record<string, string>;
  sort: string;
  page: number;
  after?: string | undefined;
  before?: string | undefined;
  perPage: number;
  sizes: readonly number[];
};

/** A list's query in a page's address: what of `filterNames` is set, and a column that its call can sort by. */
export function parseListQuery<Name extends CallName>(
  url: URL,
  name: Name,
  filterNames: readonly FilterOf<Name>[] = [],
  sizes: readonly number[] = pageSizes,
): ListQuery {
  const { searchParams } = url;
  const filters = Object.fromEntries(
    filterNames
      .map((filter) => [filter, (searchParams.get(filter) ?? "").trim().slice(0, 200)])
      .filter(([, value]) => value),
  ) as Record<string, string>;
  const sort = searchParams.get("sort") ?? "";
  const page = Number(searchParams.get("page"));
  const perPage = Number(searchParams.get("per_page") ?? preferredRows());
  return {
    filters,
    sort: (calls[name] as Call).query?.shape.sort?.safeParse(sort).data ?? "",
    page: Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    ...(searchParams.has("after") && { after: searchParams.get("after")! }),
    ...(searchParams.has("before") && { before: searchParams.get("before")! }),
    perPage: sizes.includes(perPage) ? perPage : sizes[0]!,
    sizes,
  };
}

/** `total` counts all rows that match the filters. */
export type ListPart<Row> = {
  rows: Row[];
  shown: number;
  total: number;
  isCapped: boolean;
  /** Whether a short search term was matched against the newest rows only. */
  isPartial: boolean;
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

type ListOptions = {
  /** Filters that match whole values only; others match a part. */
  exact?: string[];
  customFilters?: Record<string, (row: never, value: string) => boolean>;
  fixedFilters?: Record<string, string>;
  params?: Record<string, string>;
};

/** Reads the first page if `page` is beyond the last. Lists that a provider returns whole are paged here. */
export async function readList<Name extends ListName>(
  provider: ProviderClient,
  name: Name,
  query: ListQuery,
  options: ListOptions = {},
): Promise<ListPart<RowOf<Name>>> {
  const { page, before, perPage, sizes } = query;
  const part = await fetchPage(provider, name, query, options);
  const { total } = part;
  if (total === undefined) return filterAndPage(part.rows, query, options);
  // The first page, reached by Previous, may have lost or gained rows meanwhile.
  const isShort = before !== undefined && (page === 1 || part.rows.length < perPage);
  if ((part.rows.length === 0 && page > 1) || isShort) {
    return readList(provider, name, { ...query, page: 1, after: undefined, before: undefined }, options);
  }
  return { ...part, shown: part.rows.length, total, page, perPage, sizes };
}

const chunkRows = 100;

export async function* readAll<Name extends ListName>(
  provider: ProviderClient,
  name: Name,
  query: ListQuery,
  options: ListOptions = {},
): AsyncGenerator<RowOf<Name>[]> {
  let lastIds = new Set<number>();
  let received = 0;
  let after: string | undefined;
  for (let page = 1; ; page++) {
    const part = await fetchPage(
      provider,
      name,
      { ...query, page, after, before: undefined, perPage: chunkRows },
      options,
    );
    const { rows, total, isCapped, next } = part;
    if (total === undefined) return yield* filterAll(rows, query, options);
    // Rows added meanwhile shift others to the next page; a provider without pages repeats them all.
    const newRows = (rows as { id: number }[]).filter(({ id }) => !lastIds.has(id));
    if (newRows.length === 0) return;
    yield newRows as RowOf<Name>[];
    received += rows.length;
    if (next === undefined && (after !== undefined || (received >= total && !isCapped))) return;
    after = next;
    lastIds = new Set((rows as { id: number }[]).map(({ id }) => id));
  }
}

export async function* filterAll<Row>(all: Row[], query: ListQuery, options: ListOptions = {}): AsyncGenerator<Row[]> {
  const { rows } = filterAndPage(all, { ...query, page: 1, perPage: Math.max(all.length, 1) }, options);
  for (let at = 0; at < rows.length; at += chunkRows) yield rows.slice(at, at + chunkRows);
}

async function fetchPage<Name extends ListName>(
  provider: ProviderClient,
  name: Name,
  { filters, sort, page, after, before, perPage }: ListQuery,
  { fixedFilters = {}, params }: ListOptions,
) {
  const position = { page: String(page), per_page: String(perPage), after, before };
  const query = { ...filters, ...fixedFilters, sort: sort || undefined, ...position };
  const part = await provider.list(name, query as never, params);
  return { ...part, rows: part.rows as RowOf<Name>[] };
}

/** Ignores case and accents. */
export const containsText = (text: string, whole: string) => fold(whole).includes(fold(text));

export const distinct = (values: string[]) => [...new Set(values)].filter(Boolean);

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
  const pageShown = first < matching.length ? page : 1;
  const rows = matching.slice((pageShown - 1) * perPage, pageShown * perPage);
  return {
    rows,
    shown: rows.length,
    total: matching.length,
    isCapped: false,
    isPartial: false,
    page: pageShown,
    perPage,
    sizes,
  };
}
