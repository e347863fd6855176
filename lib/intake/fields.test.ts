import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { fieldsFrom, type FormRefused, maxFields, readUrlencoded } from "./fields.ts";
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

test("maps fields to the schema, closes gaps in lists, and takes the last of equal names", () => {
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
])("ignores the name %s", (name) => {
  const fields = read(encode([name, "x"]));
  expect(fields.values(document)).toEqual({});
  expect([...fields.parameters(document)]).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("ignores a name of a megabyte", () => {
  expect([...read(encode(["a".repeat(1_000_000), "x"])).parameters(document)]).toEqual([]);
});

test("any names yield the structure of the schema and nothing else", () => {
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
    fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: maxFields }), (fields) => {
      const parsedForm = read(encode(...(fields as [string, string][])));
      expect(strict.safeParse(parsedForm.values(document)).error).toBeUndefined();
      const formFieldNames = new Set([...shapeOf(document).formFields.values()].map((field) => field.name));
      for (const [name] of parsedForm.parameters(document)) expect(formFieldNames).toContain(name);
    }),
  );
});

test("Conform reads the same structure from the flat fields as zod from the nested ones", () => {
  const fields = read(encode(["name", "Lease"], ["custom_fields[0][name]", "A"], ["custom_fields[0][value]", "1"]));
  const shape = document.pick({ name: true, custom_fields: true });
  const submission = parseWithZod(fields.parameters(shape), { schema: shape });
  expect(submission.status === "success" && submission.value).toEqual(fields.values(shape));
});

test("the schema refuses a list that is too long, with its own message", () => {
  const tooMany = Array.from({ length: 4 }, (_, n): [string, string] => [`custom_fields[${n}][name]`, "x"]);
  const { error } = document.shape.custom_fields.safeParse(read(encode(...tooMany)).values(document).custom_fields);
  expect(error?.issues.map(({ message }) => message)).toContain("Remove some");
});

test(`a form may have ${maxFields} fields of any name, and no more`, () => {
  const repeated = (times: number) => Array.from({ length: times }, () => "a=").join("&");
  expect(read(`${repeated(maxFields - 1)}&name=x`).get("name")).toBe("x");
  for (const body of [
    repeated(maxFields + 1),
    `${repeated(500_000)}`,
    Array(maxFields + 1)
      .fill("=")
      .join("&"),
  ]) {
    expect(() => read(body)).toThrow(
      expect.objectContaining({ reason: "too many fields" } satisfies Partial<FormRefused>),
    );
  }
});

test("stops reading at one field too many", () => {
  let acceptedCount = 0;
  const isMalformed = () => {
    acceptedCount++;
    return false;
  };
  expect(() => readUrlencoded("a=&".repeat(300_000), { schemas: [document], isMalformed })).toThrow("too many fields");
  expect(acceptedCount).toBe(maxFields);
});

test("reads ampersands, question marks and broken escapes as URLSearchParams does", () => {
  for (const text of ["&&name=x&&", "?name=x", "name=%", "name=%zz&version", "name=a=b", "name=%E0%A4", "name=+%2B"]) {
    const expected = new URLSearchParams(`&${text}`);
    expect(read(text).get("name"), text).toBe(expected.get("name"));
  }
});

test("takes those of given fields that a schema names", () => {
  const many = Array.from({ length: 1000 }, (): [string, string] => ["x", "y"]);
  expect(fieldsFrom([["name", "Lease"], ...many], document).values(document)).toEqual({ name: "Lease" });
});

test("rejects a schema with a list without a maximum", () => {
  expect(() => shapeOf(z.object({ list: z.array(z.string()) }))).toThrow("needs a maximum");
});

test("distinguishes a list of one value from a text", () => {
  const schema = z.object({ columns: z.array(z.string()).max(3), name: z.string() });
  const read = (text: string) =>
    readUrlencoded(text, { schemas: [schema] })
      .parameters(schema)
      .toString();
  expect(decodeURIComponent(read("columns=city&name=One"))).toBe("columns[]=city&name=One");
  expect(read("columns=city&columns=phone")).toBe("columns=city&columns=phone");
});
