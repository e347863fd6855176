import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asPart, gzipOf } from "./gzip-parts.ts";

test("parts and texts between them are one gzip file", () => {
  const part = fc.string({ unit: "grapheme", maxLength: 3000 });
  fc.assert(
    fc.property(fc.array(fc.record({ text: part, isKept: fc.boolean() })), (given) => {
      const parts = given.map(({ text, isKept }) => (isKept ? asPart(text) : Buffer.from(text)));
      expect(gunzipSync(gzipOf(parts)).toString()).toBe(given.map(({ text }) => text).join(""));
    }),
  );
});

test("a text between parts costs little more than its own bytes", () => {
  const text = "<p>Issued by this company? Yes.</p>".repeat(100);
  const whole = gzipSync(text + text).length;
  expect(gzipOf([asPart(text), Buffer.from("x".repeat(22)), asPart(text)]).length).toBeLessThan(whole + 150);
});

test("what is kept of a part is its own bytes", () => {
  for (const text of ["", "Yes.", "<p>Issued by this company?</p>".repeat(100)]) {
    const part = asPart(text);
    expect([part.text.buffer.byteLength, part.deflated.buffer.byteLength]).toEqual([
      part.text.length,
      part.deflated.length,
    ]);
  }
});
