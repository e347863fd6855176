import { expect, test } from "vitest";
import { z } from "zod";
import { maxJsonValues, readJson } from "./json.ts";

const schema = z.object({
  name: z.string(),
  version: z.coerce.number().optional(),
  custom_fields: z.array(z.object({ name: z.string() })).max(2),
});
const read = (value: unknown) => readJson(JSON.stringify(value), schema);

test("drops keys that the schema does not know", () => {
  const input = { name: "x", other: { deep: [1] }, custom_fields: [{ name: "A", more: {} }], files: { pages: [{}] } };
  expect(read(input)).toEqual({ name: "x", custom_fields: [{ name: "A" }] });
  expect(readJson('{"__proto__":{"name":"x"},"constructor":1,"name":"y"}', schema)).toEqual({ name: "y" });
});

test("reads one list item too many, for the schema to refuse", () => {
  const { custom_fields } = read({ custom_fields: Array.from({ length: 1000 }, () => ({ name: "x" })) }) as z.output<
    typeof schema
  >;
  expect(custom_fields).toHaveLength(3);
});

test.each([[[]], [[5]], [{ a: 1 }], [[[[[5]]]]]])("%j in place of a value becomes empty", (value) => {
  expect(read({ version: value })).toEqual({ version: {} });
  expect(schema.shape.version.safeParse({}).success).toBe(false);
});

test.each([null, 5, "x", [], [{ name: "x" }]])("the schema refuses the body %j", (value) => {
  expect(schema.safeParse(read(value)).success).toBe(false);
});

test.each([
  ["values", JSON.stringify({ name: Array.from({ length: maxJsonValues + 1 }, () => 0) })],
  ["keys", `{${Array.from({ length: maxJsonValues + 2 }, (_, n) => `"k${n}":1`).join(",")}}`],
  ["levels", `{"version":${"[".repeat(400_000)}${"]".repeat(400_000)}}`],
  ["levels that never end", "[".repeat(1_000_000)],
])("refuses too many %s before parsing", (_, text) => {
  expect(() => readJson(text, schema)).toThrow("too many fields");
});

test("commas, brackets and quotes in a string do not count as values", () => {
  const text = ',[{"\\'.repeat(20_000);
  expect(read({ name: text })).toEqual({ name: text });
});

test.each(["", "{", '{"name":"x', '"\\', "name=x"])("%j is not JSON", (text) => {
  expect(() => readJson(text, schema)).toThrow("malformed");
});
