import { z } from "zod";

/** The structure that a schema allows, in which names of a body are looked up: they never create any by themselves. */
export type Shape =
  | { kind: "value" }
  | { kind: "object"; properties: ReadonlyMap<string, Shape> }
  | { kind: "list"; items: Shape; maxItems: number };

export type FormField = {
  /** In Conform's spelling: `custom_fields[0].name`. */
  name: string;
  path: readonly (string | number)[];
  /** More than one only in a list of plain values. */
  maxValues: number;
};

/** By each spelling of their names. */
export type FormFields = ReadonlyMap<string, FormField>;

/** Names of list fields are generated in advance. */
const maxListLength = 200;

const cache = new WeakMap<z.ZodObject, { shape: Shape; formFields: FormFields }>();

/** A schema's shape and fields, computed once. Throws if a list has no maximum. */
export function shapeOf(schema: z.ZodObject): { shape: Shape; formFields: FormFields } {
  let result = cache.get(schema);
  if (!result) {
    const shape = shapeIn(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Described);
    result = { shape, formFields: new Map(fieldsIn(shape, [])) };
    cache.set(schema, result);
  }
  return result;
}

type Described = { properties?: Record<string, Described>; items?: Described; maxItems?: number };

function shapeIn({ properties, items, maxItems = Infinity }: Described): Shape {
  if (properties) {
    const entries = Object.entries(properties).map(([name, inner]) => [name, shapeIn(inner)] as const);
    return { kind: "object", properties: new Map(entries) };
  }
  if (!items) return { kind: "value" };
  if (maxItems > maxListLength) throw new Error(`A list in a body needs a maximum of ${maxListLength} or less`);
  return { kind: "list", items: shapeIn(items), maxItems };
}

/** All fields below a path in the contract's spelling and Conform's. Lists have one more, for the schema to refuse. */
function fieldsIn(shape: Shape, path: (string | number)[]): [string, FormField][] {
  if (shape.kind === "object") {
    return [...shape.properties].flatMap(([name, inner]) => fieldsIn(inner, [...path, name]));
  }
  const maxValues = shape.kind === "list" ? shape.maxItems + 1 : 1;
  if (shape.kind === "list" && shape.items.kind !== "value") {
    return Array.from({ length: maxValues }, (_, n) => fieldsIn(shape.items, [...path, n])).flat();
  }
  const field = { name: spell(path, (part) => `.${part}`), path, maxValues };
  const names = new Set([field.name, spell(path, (part) => `[${part}]`)]);
  if (shape.kind === "list") names.add(`${field.name}[]`);
  return [...names].map((name) => [name, field]);
}

const spell = ([first, ...rest]: (string | number)[], property: (part: string) => string) =>
  String(first) + rest.map((part) => (typeof part === "number" ? `[${part}]` : property(part))).join("");

/**
 * A JSON value without unknown keys. Lists are cut to one item more than allowed, and an object or list in place of a
 * value becomes empty, for the schema to refuse.
 */
export function pruned(value: unknown, shape: Shape): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (shape.kind === "list") return value.slice(0, shape.maxItems + 1).map((item) => pruned(item, shape.items));
    // zod coerces a list of one number to that number.
    return shape.kind === "object" ? [] : {};
  }
  if (shape.kind !== "object") return {};
  const entries = [...shape.properties].filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, pruned((value as Record<string, unknown>)[name], inner)]),
  );
}
