/** Lists whose state (filters, sort, page) is in their address. */
const lists = [
  "/documents/list",
  "/documents/archive",
  "/users/list",
  "/users/roles",
  "/branches/list",
  "/alerts",
  "/map",
  "/audit",
  "/help",
];

/** Pages of records, and the lists that they lead back to. */
const records = [
  { page: /^\/documents\/(edit\/)?\d+$/, lists: ["/documents/list", "/documents/archive"] },
  { page: /^\/users\/(new|(view|edit)\/\d+)$/, lists: ["/users/list"] },
  { page: /^\/branches\/(new|(view|edit)\/\d+)$/, lists: ["/branches/list"] },
  { page: /^\/alerts\/\d+$/, lists: ["/alerts"] },
];

const maxAddressLength = 2000;

/** A button that sorts or changes the rows per page adds its own value after the form's; the last one counts. */
const singleValued = ["sort", "per_page"];

/** A list's address without its empty fields, which browsers without scripts send; undefined if it has none. */
export function withoutEmptyFields({ pathname, searchParams }: URL): string | undefined {
  const parameters = [...searchParams].map(asKey);
  const isReplaced = (name: string, at: number) =>
    singleValued.includes(name) && at !== parameters.findLastIndex(([other]) => other === name);
  const remaining = parameters.filter(([name, value], at) => value !== "" && !isReplaced(name, at));
  const isOther =
    remaining.length < parameters.length || parameters.some(([name, value]) => !searchParams.has(name!, value));
  return lists.includes(pathname) && isOther ? addressOf(pathname, remaining) : undefined;
}

/** Version 1.0.0 wrote this value of a filter as its label. */
const asKey = ([name, value]: [string, string]): [string, string] =>
  name === "status" && /^expiring in \d+ days$/i.test(value) ? [name, "expiring"] : [name, value];

/**
 * A record's address with `from`, the list that it was opened from (`components/list/list-address.ts`), if that has a state.
 * The referring page is the list itself, or another page of the record that has it. Undefined if nothing is to be added.
 */
export function withListState(url: URL, referrer: URL): string | undefined {
  const record = records.find(({ page }) => page.test(url.pathname));
  if (!record || url.searchParams.has("from")) return undefined;
  const isList = record.lists.includes(referrer.pathname);
  const isSameRecord = record.page.test(referrer.pathname);
  const from = isList ? stateOf(referrer) : isSameRecord ? (referrer.searchParams.get("from") ?? "") : "";
  const isState = record.lists.some((list) => from.startsWith(`${list}?`)) && from.length <= maxAddressLength;
  return isState ? addressOf(url.pathname, [...url.searchParams, ["from", from]]) : undefined;
}

function stateOf({ pathname, searchParams }: URL) {
  return addressOf(
    pathname,
    [...searchParams].filter(([name, value]) => value !== "" && !["dialog", "at"].includes(name)),
  );
}

function addressOf(pathname: string, parameters: string[][]) {
  const query = new URLSearchParams(parameters).toString();
  return query ? `${pathname}?${query}` : pathname;
}
