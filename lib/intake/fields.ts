import type { z } from "zod";
import { type FormField, shapeOf } from "./shape.ts";

/** Ignored fields included. A document's form with 50 custom fields has some 130. */
export const maxFields = 200;

/** A form that was refused as a whole; its files are deleted from the store. */
export class FormRefused extends Error {
  readonly reason: "too large" | "too many files" | "too many fields" | "control field" | "malformed";
  constructor(reason: FormRefused["reason"]) {
    super(`The form is ${reason}`);
    this.reason = reason;
  }
}

/** The fields of a form that its schemas name. */
export class Fields {
  readonly #values: ReadonlyMap<string, { field: FormField; values: string[] }>;

  constructor(values: ReadonlyMap<string, { field: FormField; values: string[] }>) {
    this.#values = values;
  }

  /** The last value of a field, or null. */
  get(name: string): string | null {
    return this.#values.get(name)?.values.at(-1) ?? null;
  }

  getAll(name: string): string[] {
    return this.#values.get(name)?.values ?? [];
  }

  entries(): [name: string, value: string][] {
    return [...this.#values.values()].flatMap(({ field: { name }, values }) =>
      values.map((value): [string, string] => [name, value]),
    );
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The fields of a schema under Conform's flat names, for `parseWithZod`. */
  parameters(schema: z.ZodObject): URLSearchParams {
    const pairs = this.#of(schema).flatMap(({ field, values }) => {
      // Conform takes one value for a text, unless its name says that it is a list.
      const name = field.maxValues > 1 && values.length === 1 ? `${field.name}[]` : field.name;
      return values.map((value) => [name, value]);
    });
    return new URLSearchParams(pairs);
  }

  /** The fields of a schema in its structure, for zod, without gaps in lists. */
  values(schema: z.ZodObject): Record<string, unknown> {
    const result: Tree = {};
    for (const { field, values } of this.#of(schema)) {
      put(result, field.path, field.maxValues > 1 ? values : values[0]!);
    }
    return withoutGaps(result) as Record<string, unknown>;
  }

  #of(schema: z.ZodObject) {
    const { formFields } = shapeOf(schema);
    return [...this.#values.values()].filter(({ field }) => formFields.has(field.name));
  }
}

type Tree = { [part: string | number]: Tree | string | string[] };

/** Paths come from schemas alone, never from a request. */
function put(tree: Tree, path: FormField["path"], value: string | string[]) {
  const [part, ...rest] = path;
  if (rest.length === 0) tree[part!] = value;
  else put((tree[part!] ??= (typeof rest[0] === "number" ? [] : {}) as Tree) as Tree, rest, value);
}

function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutGaps);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutGaps(inner)]));
}

export type Expected = {
  schemas: readonly z.ZodObject[];
  /** Whether a field, known or not, refuses the form. */
  isMalformed?(name: string, value: string): boolean;
};

export class FieldReader {
  readonly #expected: Expected;
  readonly #values = new Map<string, { field: FormField; values: string[] }>();
  #count = 0;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  /** Counts a field, and stores its value if a schema names it. Throws `FormRefused` at one too many. */
  add(name: string, value: string) {
    if (++this.#count > maxFields) throw new FormRefused("too many fields");
    if (this.#expected.isMalformed?.(name, value)) throw new FormRefused("control field");
    const field = this.#fieldOf(name);
    if (!field) return;
    const before = field.maxValues > 1 ? (this.#values.get(field.name)?.values ?? []) : [];
    if (before.length < field.maxValues) this.#values.set(field.name, { field, values: [...before, value] });
  }

  read(): Fields {
    return new Fields(this.#values);
  }

  #fieldOf(name: string) {
    for (const schema of this.#expected.schemas) {
      const field = shapeOf(schema).formFields.get(name);
      if (field) return field;
    }
    return undefined;
  }
}

/** Reads `application/x-www-form-urlencoded` field by field. Throws `FormRefused` at one too many. */
export function readUrlencoded(text: string, expected: Expected): Fields {
  const reader = new FieldReader(expected);
  for (let start = 0; start < text.length;) {
    const separator = text.indexOf("&", start);
    const end = separator === -1 ? text.length : separator;
    // URLSearchParams drops a question mark at the start.
    for (const [name, value] of new URLSearchParams(`&${text.slice(start, end)}`)) reader.add(name, value);
    start = end + 1;
  }
  return reader.read();
}

/** Fields of our own code or of a stored form; those beyond the limit are ignored. */
export function fieldsFrom(entries: Iterable<[string, string]>, ...schemas: z.ZodObject[]): Fields {
  const reader = new FieldReader({ schemas });
  for (const [name, value] of [...entries].slice(0, maxFields)) reader.add(name, value);
  return reader.read();
}
