import type { z } from "zod";
import { log } from "../process/log.ts";

/** Refused fields become visible level by level. */
const maxRounds = 6;

/** `isLossy`: whether rows of lists are left out, or a field that a record has to have is blank. */
type Found = { value: unknown; changed: Map<string, string>; mayLose: boolean; isLossy: boolean };

/**
 * Reads what the schema refuses as it is meant: null is missing, numbers and flags may be texts. With `mayLose` rows that
 * can't be read are left out, and texts, flags and lists that have to be there are blank; numbers and ids are never invented.
 */
export function parseLeniently<Schema extends z.ZodType>(
  call: string,
  schema: Schema,
  reply: unknown,
  mayLose = false,
) {
  let parsed = schema.safeParse(reply);
  if (parsed.success) return { ...parsed, isLossy: false };
  const reading: Found = { value: structuredClone(reply), changed: new Map(), mayLose, isLossy: false };
  for (let round = 0; round < maxRounds && !parsed.success; round++) {
    if (!correctAll(reading, parsed.error.issues as Issue[])) break;
    reading.value = withoutLost(reading.value);
    parsed = schema.safeParse(reading.value);
  }
  if (parsed.success) logOnce(call, reading.changed);
  return { ...parsed, isLossy: parsed.success && reading.isLossy };
}

type Issue = {
  code: string;
  path: PropertyKey[];
  expected?: string;
  errors?: Issue[][];
};

function correctAll(found: Found, issues: Issue[], within: PropertyKey[] = []): boolean {
  let hasChanged = false;
  for (const issue of issues) {
    const path = [...within, ...issue.path];
    // A union's schemas each say what they miss; only one of them fits the reply.
    if (issue.errors) for (const errors of issue.errors) hasChanged = correctAll(found, errors, path) || hasChanged;
    hasChanged = correct(found, path, issue.expected, within.length) || hasChanged;
  }
  return hasChanged;
}

/** `least`: the length of the path of a union, where one of its schemas says what is missing. */
function correct(found: Found, path: PropertyKey[], expected: string | undefined, least: number): boolean {
  if (path.length === 0) return false;
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => childOf(value, part), found.value);
  if (typeof parent !== "object" || parent === null) return false;
  const last = path.at(-1)!;
  const record = parent as Record<PropertyKey, unknown>;
  const isMissing = !Object.hasOwn(record, last);
  const value = record[last];
  const replacement = isMissing ? (found.mayLose ? blanks[expected ?? ""]?.() : undefined) : readAs(expected, value);
  const isRow = Array.isArray(parent);
  // What lacks a field that it has to have is missing as well.
  if (isMissing && replacement === undefined)
    return path.length - 1 > least && correct(found, path.slice(0, -1), undefined, least);
  if (isRow && replacement === undefined && !found.mayLose) return false;
  found.isLossy ||= isMissing || (isRow && replacement === undefined);
  if (replacement !== undefined) record[last] = replacement;
  else if (isRow) record[last] = unreadable;
  else delete record[last];
  const field = path.map((part) => (typeof part === "number" ? "[]" : String(part))).join(".");
  found.changed.set(field, value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
  return true;
}

const blanks: Record<string, () => unknown> = {
  string: () => "",
  boolean: () => false,
  array: () => [],
  record: () => ({}),
};

const unreadable = Symbol("lost");

function withoutLost(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.filter((item) => item !== unreadable).map(withoutLost);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutLost(inner)]));
}

const childOf = (value: unknown, part: PropertyKey) =>
  typeof value === "object" && value !== null && Object.hasOwn(value, part)
    ? (value as Record<PropertyKey, unknown>)[part]
    : undefined;

function readAs(expected: string | undefined, value: unknown): unknown {
  if (expected === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if ((expected === "number" || expected === "int") && typeof value === "string" && value.trim() !== "") {
    const number = Number(value);
    return Number.isFinite(number) ? number : undefined;
  }
  if (expected === "boolean") return flags.get(String(value).toLowerCase());
  return undefined;
}

const flags = new Map([
  ...["1", "true", "yes"].map((word): [string, boolean] => [word, true]),
  ...["0", "false", "no"].map((word): [string, boolean] => [word, false]),
]);

const logged = new Set<string>();

function logOnce(call: string, changed: Map<string, string>) {
  const unknown = [...changed].filter(([field]) => !logged.has(`${call} ${field}`));
  if (unknown.length === 0 || logged.size > maxLogged) return;
  for (const [field] of unknown) logged.add(`${call} ${field}`);
  log.warn({ call, fields: Object.fromEntries(unknown) }, "provider response read leniently");
}

const maxLogged = 2000;
