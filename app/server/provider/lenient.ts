import type { z } from "zod";
import { log } from "../process/log.ts";

/** Refused fields become visible level by level. */
const maxRounds = 4;

type Found = { value: unknown; changed: Map<string, string> };

/** Reads what the schema refuses as it is meant: null is missing, numbers and flags may be texts. */
export function parseLeniently<Schema extends z.ZodType>(call: string, schema: Schema, reply: unknown) {
  let parsed = schema.safeParse(reply);
  if (parsed.success) return parsed;
  const found: Found = { value: structuredClone(reply), changed: new Map() };
  for (let round = 0; round < maxRounds && !parsed.success; round++) {
    const before = found.changed.size;
    const hasChanged = correctAll(found, parsed.error.issues as Issue[]);
    if (!hasChanged && before === found.changed.size) break;
    parsed = schema.safeParse(found.value);
  }
  if (parsed.success) logOnce(call, found.changed);
  return parsed;
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
    hasChanged = correct(found, path, issue) || hasChanged;
  }
  return hasChanged;
}

function correct(found: Found, path: PropertyKey[], { expected }: Issue): boolean {
  if (path.length === 0) return false;
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => childOf(value, part), found.value);
  const last = path.at(-1)!;
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, last)) return false;
  const record = parent as Record<PropertyKey, unknown>;
  const value = record[last];
  const meant = readAs(expected, value);
  if (meant === undefined && Array.isArray(parent)) return false;
  if (meant === undefined) delete record[last];
  else record[last] = meant;
  const field = path.map((part) => (typeof part === "number" ? "[]" : String(part))).join(".");
  found.changed.set(field, value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
  return true;
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
