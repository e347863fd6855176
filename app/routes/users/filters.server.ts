import type { FilterOf } from "#provider/contract/calls.ts";
import { type ListQuery, parseListQuery } from "../../server/lists/lists.ts";
import { filterLabels } from "./filters.ts";

/** The list's parameters: the filters, and `active=0` for removed users. */
const filterNames = [...Object.keys(filterLabels), "active"] as FilterOf<"listUsers">[];

/** Parses the list query; `active` that is neither 0 nor 1 is ignored. */
export function parseUserQuery(url: URL): ListQuery {
  const query = parseListQuery(url, "listUsers", filterNames);
  const { active, ...filters } = query.filters;
  return active === "0" || active === "1" ? query : { ...query, filters };
}
