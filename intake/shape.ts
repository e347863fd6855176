import { z } from "zod";

/** The structure that a schema allows. Names and keys of a body are looked up in it, and make nothing by themselves. */
export type Shape =
  | { kind: "value" }
  | { kind: "object"; properties: ReadonlyMap<string, Shape> }
  | { kind: "list"; items: Shape; most: number };

/** Where a form's field belongs. */
export type Place = {
  /** As Conform writes it: `custom_fields[0].name`. */
  name: string;
  path: readonly (string | number)[];
  /** How many values the field may have: more than one only in a list of plain values. */
  most: number;
};

/** The fields that a form of a schema may have, by the names that they may be sent under. */
export type Places = ReadonlyMap<string, Place>;

/** The names of a list's fields are all made ahead, so it has to be short. */
const longestList = 200;

const known = new WeakMap<z.ZodObject, { shape: Shape; places: Places }>();

/** A schema's shape and the names of its fields, worked out once. Throws where a list in it has no maximum. */
export function shapeOf(schema: z.ZodObject): { shape: Shape; places: Places } {
  let made = known.get(schema);
  if (!made) {
    const shape = shapeIn(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Described);
    made = { shape, places: new Map(placesIn(shape, [])) };
    known.set(schema, made);
  }
  return made;
}

type Described = { properties?: Record<string, Described>; items?: Described; maxItems?: number };

function shapeIn({ properties, items, maxItems = Infinity }: Described): Shape {
  if (properties) {
    const entries = Object.entries(properties).map(([name, inner]) => [name, shapeIn(inner)] as const);
    return { kind: "object", properties: new Map(entries) };
  }
  if (!items) return { kind: "value" };
  if (maxItems > longestList) throw new Error(`A list in a body needs a maximum of ${longestList} or less`);
  return { kind: "list", items: shapeIn(items), most: maxItems };
}

/**
 * Every field below a path, under both spellings: `custom_fields[0][name]` as the contract has it, and Conform's. Lists
 * take one more than their schema allows, so that the schema itself refuses what is too long.
 */
function placesIn(shape: Shape, path: (string | number)[]): [string, Place][] {
  if (shape.kind === "object") {
    return [...shape.properties].flatMap(([name, inner]) => placesIn(inner, [...path, name]));
  }
  const most = shape.kind === "list" ? shape.most + 1 : 1;
  if (shape.kind === "list" && shape.items.kind !== "value") {
    return Array.from({ length: most }, (_, n) => placesIn(shape.items, [...path, n])).flat();
  }
  const place = { name: spelt(path, (part) => `.${part}`), path, most };
  const names = new Set([place.name, spelt(path, (part) => `[${part}]`)]);
  if (shape.kind === "list") names.add(`${place.name}[]`);
  return [...names].map((name) => [name, place]);
}

const spelt = ([first, ...rest]: (string | number)[], property: (part: string) => string) =>
  String(first) + rest.map((part) => (typeof part === "number" ? `[${part}]` : property(part))).join("");

/**
 * The part of a JSON value that a shape knows: unknown keys are left out, lists are cut to one more than they may have,
 * and where a plain value belongs an object or a list becomes an empty one, for the schema to refuse.
 */
export function fitted(value: unknown, shape: Shape): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (shape.kind === "list") return value.slice(0, shape.most + 1).map((item) => fitted(item, shape.items));
    // A list of one number would count as that number.
    return shape.kind === "object" ? [] : {};
  }
  if (shape.kind !== "object") return {};
  const entries = [...shape.properties].filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, fitted((value as Record<string, unknown>)[name], inner)]),
  );
}
