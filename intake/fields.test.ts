import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsFrom, type FormRefused, mostFields, readUrlencoded } from "./fields.ts";
import { shapeOf } from "./shape.ts";

const document = z.object({
  name: z.string(),
  version: z.coerce.number<string>().int().optional(),
  custom_fields: z.array(z.object({ name: z.string(), value: z.string() })).max(3, "Remove some"),
  added_field: z.object({ name: z.string() }),
  order: z.array(z.string()).max(3),
});

const read = (text: string) => readUrlencoded(text, { schemas: [document] });
const encode = (...fields: [string, string][]) => new URLSearchParams(fields).toString();

test("fields become what the schema says, gaps in lists are closed, and the last of a name counts", () => {
  const fields = read(
    encode(
      ["custom_fields[2][name]", "B"],
      ["custom_fields[0][name]", "A"],
      ["custom_fields[0][value]", "1"],
      ["added_field[name]", "C"],
      ["order", "x"],
      ["order[]", "y"],
      ["name", "first"],
      ["name", "last"],
    ),
  );
  expect(fields.values(document)).toEqual({
    name: "last",
    custom_fields: [{ name: "A", value: "1" }, { name: "B" }],
    added_field: { name: "C" },
    order: ["x", "y"],
  });
  expect([fields.get("name"), fields.get("version"), fields.getAll("order")]).toEqual(["last", null, ["x", "y"]]);
});

test.each([
  "name[30000000]",
  "name[]",
  "name[first]",
  "name.first",
  "custom_fields[4][name]",
  "custom_fields[30000000][name]",
  "custom_fields[-1][name]",
  "custom_fields[01][name]",
  "custom_fields[1e3][name]",
  "custom_fields[][name]",
  "custom_fields[0]",
  "custom_fields[0][name][x]",
  "custom_fields[0][__proto__][x]",
  "custom_fields[__proto__][name]",
  "custom_fields.length",
  "order[2]",
  "__proto__",
  "__proto__[polluted]",
  "constructor[prototype][polluted]",
  "hasOwnProperty",
  "toString",
  "name\u0000",
  " name",
  "NAME",
  "",
  "[]",
  "[",
  "a[b][c][d]",
])("the name %s makes nothing", (name) => {
  const fields = read(encode([name, "x"]));
  expect(fields.values(document)).toEqual({});
  expect([...fields.parameters(document)]).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("a name of a megabyte makes nothing", () => {
  expect([...read(encode(["a".repeat(1_000_000), "x"])).parameters(document)]).toEqual([]);
});

test("whatever the names are, what is read holds the schema's structure and nothing else", () => {
  const part = fc.constantFrom(
    "name",
    "custom_fields",
    "[0]",
    "[name]",
    "[",
    "]",
    ".",
    "[99999999]",
    "__proto__",
    "%5B",
  );
  const name = fc.oneof(
    fc.array(part, { maxLength: 5 }).map((parts) => parts.join("")),
    fc.string(),
  );
  const field = z.strictObject({ name: z.string().optional(), value: z.string().optional() });
  const strict = z.strictObject({
    name: z.string().optional(),
    version: z.string().optional(),
    custom_fields: z.array(field).max(4).optional(),
    added_field: z.strictObject({ name: z.string() }).optional(),
    order: z.array(z.string()).max(4).optional(),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: mostFields }), (fields) => {
      const sent = read(encode(...(fields as [string, string][])));
      expect(strict.safeParse(sent.values(document)).error).toBeUndefined();
      const known = new Set([...shapeOf(document).places.values()].map((place) => place.name));
      for (const [name] of sent.parameters(document)) expect(known).toContain(name);
    }),
  );
});

test("Conform reads the same structure from the flat fields as zod from the nested ones", () => {
  const fields = read(encode(["name", "Lease"], ["custom_fields[0][name]", "A"], ["custom_fields[0][value]", "1"]));
  const shape = document.pick({ name: true, custom_fields: true });
  const submission = parseWithZod(fields.parameters(shape), { schema: shape });
  expect(submission.status === "success" && submission.value).toEqual(fields.values(shape));
});

test("a list that is too long is refused by its own schema, in its own words", () => {
  const tooMany = Array.from({ length: 4 }, (_, n): [string, string] => [`custom_fields[${n}][name]`, "x"]);
  const { error } = document.shape.custom_fields.safeParse(read(encode(...tooMany)).values(document).custom_fields);
  expect(error?.issues.map(({ message }) => message)).toContain("Remove some");
});

test(`a form may have ${mostFields} fields, of any name, and no more`, () => {
  const repeated = (times: number) => Array.from({ length: times }, () => "a=").join("&");
  expect(read(`${repeated(mostFields - 1)}&name=x`).get("name")).toBe("x");
  for (const body of [
    repeated(mostFields + 1),
    `${repeated(500_000)}`,
    Array(mostFields + 1)
      .fill("=")
      .join("&"),
  ]) {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ reason: "too many fields" } satisfies Partial<FormRefused>),
    );
  }
});

test("nothing is read of a form beyond the field that is one too many", () => {
  let taken = 0;
  const isMalformed = () => {
    taken++;
    return false;
  };
  expect(() => readUrlencoded("a=&".repeat(300_000), { schemas: [document], isMalformed })).toThrow("too many fields");
  expect(taken).toBe(mostFields);
});

test("ampersands, question marks and broken escapes are read as browsers' own parser reads them", () => {
  for (const text of ["&&name=x&&", "?name=x", "name=%", "name=%zz&version", "name=a=b", "name=%E0%A4", "name=+%2B"]) {
    const expected = new URLSearchParams(`&${text}`);
    expect(read(text).get("name"), text).toBe(expected.get("name"));
  }
});

test("fields that were read before are taken as far as a schema names them", () => {
  const many = Array.from({ length: 1000 }, (): [string, string] => ["x", "y"]);
  expect(fieldsFrom([["name", "Lease"], ...many], document).values(document)).toEqual({ name: "Lease" });
});

test("a list without a maximum can't be part of a form", () => {
  expect(() => shapeOf(z.object({ list: z.array(z.string()) }))).toThrow("needs a maximum");
});
