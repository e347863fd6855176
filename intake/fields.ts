import type { z } from "zod";
import { type Place, shapeOf } from "./shape.ts";

/** The most fields that a form may have, ignored ones included. A document's form with 50 custom fields has some 130. */
export const mostFields = 200;

/** A body is larger than allowed, has too many parts, or can't be read. Files that it brought are gone from the store. */
export class FormRefused extends Error {
  readonly reason: "too large" | "too many files" | "too many fields" | "control field" | "malformed";
  constructor(reason: FormRefused["reason"]) {
    super(`The form is ${reason}`);
    this.reason = reason;
  }
}

/** Those fields of a form that its schemas name. Only `FieldReader` makes them, so that no name has made a structure. */
export class Fields {
  readonly #values: ReadonlyMap<string, { place: Place; values: string[] }>;

  constructor(values: ReadonlyMap<string, { place: Place; values: string[] }>) {
    this.#values = values;
  }

  /** A field's value, the last one where it came several times; null where it did not come. */
  get(name: string): string | null {
    return this.#values.get(name)?.values.at(-1) ?? null;
  }

  /** The values of a field that is a list of plain values. */
  getAll(name: string): string[] {
    return this.#values.get(name)?.values ?? [];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The fields of a schema under flat names as Conform writes them, for `parseWithZod`. */
  parameters(schema: z.ZodObject): URLSearchParams {
    const sent = this.#of(schema).flatMap(({ place, values }) => values.map((value) => [place.name, value]));
    return new URLSearchParams(sent);
  }

  /** The fields of a schema in its structure, for zod. Gaps in lists are closed. */
  values(schema: z.ZodObject): Record<string, unknown> {
    const result: Tree = {};
    for (const { place, values } of this.#of(schema)) {
      put(result, place.path, place.most > 1 ? values : values[0]!);
    }
    return withoutGaps(result) as Record<string, unknown>;
  }

  #of(schema: z.ZodObject) {
    const { places } = shapeOf(schema);
    return [...this.#values.values()].filter(({ place }) => places.has(place.name));
  }
}

type Tree = { [part: string | number]: Tree | string | string[] };

/** Only paths that were made from a schema come here. */
function put(tree: Tree, path: Place["path"], value: string | string[]) {
  const [part, ...rest] = path;
  if (rest.length === 0) tree[part!] = value;
  else put((tree[part!] ??= (typeof rest[0] === "number" ? [] : {}) as Tree) as Tree, rest, value);
}

function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutGaps);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutGaps(inner)]));
}

/** What a form may have. */
export type Expected = {
  /** Whose fields are taken; those of any other name are ignored. */
  schemas: readonly z.ZodObject[];
  /** Whether a field, of whatever name, is a reason to refuse the form. */
  isMalformed?(name: string, value: string): boolean;
};

/** Takes a form's fields one by one: counts all, stores those that one of the schemas names. */
export class FieldReader {
  readonly #expected: Expected;
  readonly #values = new Map<string, { place: Place; values: string[] }>();
  #count = 0;

  constructor(expected: Expected) {
    this.#expected = expected;
  }

  /**
   * Counts a field and stores its value if a schema names it; of a name that comes twice the last value counts. Throws
   * `FormRefused` once there are too many fields.
   */
  add(name: string, value: string) {
    if (++this.#count > mostFields) throw new FormRefused("too many fields");
    if (this.#expected.isMalformed?.(name, value)) throw new FormRefused("control field");
    const place = this.#placeOf(name);
    if (!place) return;
    const before = place.most > 1 ? (this.#values.get(place.name)?.values ?? []) : [];
    if (before.length < place.most) this.#values.set(place.name, { place, values: [...before, value] });
  }

  read(): Fields {
    return new Fields(this.#values);
  }

  #placeOf(name: string) {
    for (const schema of this.#expected.schemas) {
      const place = shapeOf(schema).places.get(name);
      if (place) return place;
    }
    return undefined;
  }
}

/** Reads a form that is `application/x-www-form-urlencoded`, field by field. Throws `FormRefused` at one too many. */
export function readUrlencoded(text: string, expected: Expected): Fields {
  const reader = new FieldReader(expected);
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("&", start);
    const end = found === -1 ? text.length : found;
    // The ampersand keeps a question mark at the start from being dropped.
    for (const [name, value] of new URLSearchParams(`&${text.slice(start, end)}`)) reader.add(name, value);
    start = end + 1;
  }
  return reader.read();
}

/** Fields from our own code, or of a form that was stored. Those beyond the limit are ignored. */
export function fieldsFrom(entries: Iterable<[string, string]>, ...schemas: z.ZodObject[]): Fields {
  const reader = new FieldReader({ schemas });
  for (const [name, value] of [...entries].slice(0, mostFields)) reader.add(name, value);
  return reader.read();
}
