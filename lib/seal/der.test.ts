import { expect, test } from "vitest";
import { boolean, der, integer, oid, readDer, sequence, setOf, time } from "./der.ts";

const hex = (bytes: Buffer) => bytes.toString("hex");

test.each([
  [0, "020100"],
  [127, "02017f"],
  [128, "02020080"],
  [256, "02020100"],
  [2n ** 64n, "0209010000000000000000"],
])("a whole number has as few bytes as possible and no sign: %s", (value, expected) => {
  expect(hex(integer(value))).toBe(expected);
});

test.each([
  ["1.2.840.113549.1.7.2", "06092a864886f70d010702"],
  ["2.5.4.3", "0603550403"],
])("object identifier %s", (dotted, expected) => {
  expect(hex(oid(dotted))).toBe(expected);
});

test("a length of 128 and more is preceded by the number of its bytes", () => {
  expect(hex(der(0x04, Buffer.alloc(127))).slice(0, 4)).toBe("047f");
  expect(hex(der(0x04, Buffer.alloc(128))).slice(0, 6)).toBe("048180");
  expect(hex(der(0x04, Buffer.alloc(65_536))).slice(0, 10)).toBe("0483010000");
});

test("a set is sorted by its elements' bytes", () => {
  expect(hex(setOf(integer(5), boolean(false), integer(3)))).toBe("3109010100020103020105");
});

test("a year has two digits up to 2049 and four from 2050 on", () => {
  expect(time(new Date("2049-12-31T23:59:59.9Z")).toString("latin1")).toBe("\x17\x0d491231235959Z");
  expect(time(new Date("2050-01-01T00:00:00Z")).toString("latin1")).toBe("\x18\x0f20500101000000Z");
});

test("what was written is read again", () => {
  const inner = der(0x04, Buffer.alloc(300, 1));
  const [value, next] = readDer(Buffer.concat([sequence(inner, integer(7)), boolean(true)]));
  expect(value!.tag).toBe(0x30);
  expect(readDer(value!.content).map(({ whole }) => hex(whole))).toEqual([hex(inner), "020107"]);
  expect(next!.content).toEqual(Buffer.of(0xff));
});

test.each(["30", "3005", "308001", "3085000000000101", "3082ffff00"])(
  "DER that is cut short is refused: %s",
  (bytes) => {
    expect(() => readDer(Buffer.from(bytes, "hex"))).toThrow(RangeError);
  },
);
