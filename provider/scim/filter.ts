import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from "kysely";
import { type Compare, type Filter, parse } from "scim2-parse-filter";
import { fold, foldEmail } from "#lib/text.ts";
import { bounds, ScimError, urns } from "./protocol.ts";

/** Parts of lists, and their filters as conditions of a query (RFC 7644, section 3.4.2). */

/** `startIndex` counts from 1. */
export type ListQuery = { filter?: string; sortBy?: string; isDescending: boolean; startIndex: number; count: number };

/** How a column is compared: in any case, as an email address, to the letter, as a number, or as yes or no. */
export type Column = {
  ref: string | RawBuilder<string>;
  as: "text" | "email" | "exact" | "id" | "flag";
  /** The condition of `eq`, if another one than on `ref` has an index. */
  equals?: (value: string) => Condition;
};
/** Columns by their attributes' paths in small letters; a text is what the attribute always is. */
export type Columns = Record<string, Column | string>;

type Condition = Expression<SqlBool>;

/** Reads a part of a list, ordered by an attribute or by the column `last`, and counts the whole. */
export async function readPart<DB, TB extends keyof DB, Row>(
  all: SelectQueryBuilder<DB, TB, Row>,
  { filter, sortBy, isDescending, startIndex, count }: ListQuery,
  { columns, last }: { columns: Columns; last: string },
): Promise<{ rows: Row[]; total: number }> {
  const rows = filter ? all.where(conditionOf(filter, columns)) : all;
  const column = sortBy ? columnOf(columns, attributeName(sortBy)) : undefined;
  if (typeof column === "string" || (sortBy && !column)) {
    throw new ScimError("invalidPath", `There is no order by ${sortBy}`);
  }
  const direction = isDescending ? "desc" : "asc";
  const ordered = (column ? rows.orderBy(referenceTo(column), direction) : rows).orderBy(sql.ref(last), direction);
  const counting = rows.clearSelect().select(sql<number>`count(*)`.as("total"));
  const { total } = (await counting.executeTakeFirstOrThrow()) as { total: number };
  const page = ordered.limit(count).offset(startIndex - 1);
  return { rows: count > 0 ? await page.execute() : [], total };
}

/** Throws `invalidFilter` for a filter that can't be read, or about an attribute that has no column. */
function conditionOf(text: string, columns: Columns): Condition {
  if (text.length > bounds.filter) throw invalid(`Shorten the filter to ${bounds.filter} characters`);
  let filter: Filter;
  try {
    filter = parse(text);
  } catch {
    throw invalid("The filter can’t be read");
  }
  return condition(filter, columns, "");
}

const invalid = (detail: string) => new ScimError("invalidFilter", detail);

function condition(filter: Filter, columns: Columns, prefix: string): Condition {
  const eb = expressionBuilder();
  if ("filters" in filter) {
    return eb[filter.op](filter.filters.map((part) => condition(part, columns, prefix)));
  }
  if (filter.op === "not") return eb.not(condition(filter.filter, columns, prefix));
  if (filter.op === "[]") return condition(filter.valFilter, columns, `${attributeName(filter.attrPath)}.`);
  const name = prefix + attributeName(filter.attrPath);
  const column = columnOf(columns, name);
  if (column === undefined) throw invalid(`There is no filter by ${name}`);
  if (filter.op === "pr") return typeof column === "string" ? always(true) : isPresent(column);
  if (typeof column === "string") return always((fold(String(filter.compValue)) === column) === (filter.op !== "ne"));
  return comparison(column, filter);
}

/** The column of an attribute, whose lists stand for their values. */
const columnOf = (columns: Columns, name: string) =>
  [name, `${name}.value`].flatMap((path) => (Object.hasOwn(columns, path) ? [columns[path]!] : []))[0];

/** An attribute's path in small letters, without the URN of its schema. */
export const attributeName = (path: string) => {
  const name = path.toLowerCase();
  const schema = [urns.user, urns.group, urns.enterprise].find((urn) => name.startsWith(`${urn.toLowerCase()}:`));
  return schema ? name.slice(schema.length + 1) : name;
};

const always = (is: boolean): Condition => (is ? sql<SqlBool>`1 = 1` : sql<SqlBool>`1 = 0`);

const referenceTo = ({ ref }: Column) => (typeof ref === "string" ? sql<string>`${sql.ref(ref)}` : ref);

const isPresent = (column: Column): Condition =>
  column.as === "id" || column.as === "flag" ? always(true) : sql<SqlBool>`${referenceTo(column)} <> ''`;

function comparison(column: Column, { op, compValue }: Compare): Condition {
  const isNegative = op === "ne";
  if (compValue === null) return isNegative ? isPresent(column) : expressionBuilder().not(isPresent(column));
  // Such characters are never stored, and PostgreSQL refuses some of them in queries.
  const value = String(compValue)
    .toWellFormed()
    .replace(/\p{Cc}/gu, "");
  if (column.as === "id" || column.as === "flag") return equality(column, value, op);
  const folded = column.as === "email" ? foldEmail(value) : column.as === "text" ? fold(value) : value;
  if (op === "eq" && column.equals) return column.equals(folded);
  const reference = referenceTo(column);
  const like = { co: `%${escaped(folded)}%`, sw: `${escaped(folded)}%`, ew: `%${escaped(folded)}` };
  if (op in like) return sql<SqlBool>`${reference} like ${like[op as keyof typeof like]} escape '\\'`;
  const signs = { eq: "=", ne: "<>", gt: ">", ge: ">=", lt: "<", le: "<=" };
  return sql<SqlBool>`${reference} ${sql.raw(signs[op as keyof typeof signs])} ${folded}`;
}

const escaped = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** Numbers and flags are equal to a value or not, and nothing else. */
function equality(column: Column, value: string, op: string): Condition {
  if (op !== "eq" && op !== "ne") throw invalid("Ids and flags can be compared by eq and ne alone");
  const number = column.as === "id" ? idOf(value) : { true: 1, false: 0 }[value.toLowerCase()];
  if (number === undefined) return always(op === "ne");
  return sql<SqlBool>`${referenceTo(column)} ${sql.raw(op === "eq" ? "=" : "<>")} ${number}`;
}

/** The id of a record of ours; undefined for a text that can be none. */
export const idOf = (text: string): number | undefined => {
  const id = Number(text);
  return /^[1-9]\d{0,9}$/.test(text) && id < 2 ** 31 ? id : undefined;
};
