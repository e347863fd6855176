import { expect, test } from "vitest";
import { clean } from "./clean.ts";

test("controls and halves of characters are left out of texts; line ends, tabs and other scripts stay", () => {
  expect(clean("Le\0ase\u001b[31m of\u009f \ud83d the\r\n\tmill")).toBe("Lease[31m of  the\r\n\tmill");
  for (const text of ["Übergabe – Łódź", "سند 🏛️", "नाम‌ा", "a\u200db", "<b>x</b>", ""]) expect(clean(text)).toBe(text);
});

test("texts end where pages could not show them, pictures in addresses and as Base64 later", () => {
  expect(clean("🏛".repeat(20_000))).toMatch(/^(🏛){10000} …$/u);
  const picture = `data:image/png;base64,${"A".repeat(100_000)}`;
  expect(clean({ files: { qrcode: picture } })).toEqual({ files: { qrcode: picture } });
  const file = Buffer.alloc(100_000, "RIFF").toString("base64");
  expect(clean({ pictures: [{ file }] })).toEqual({ pictures: [{ file }] });
  expect((clean(`${"A".repeat(100_000)} A`) as string).length).toBeLessThan(20_010);
});

test.each([
  "javascript:alert(1)",
  " JavaScript:alert(1)",
  "data:text/html,x",
  "\u0001vbscript:x",
  "file:///etc/passwd",
])("an address %j runs nothing", (address) => {
  expect(clean({ url: address, verify_url: address, link: address, sign_in_address: address })).toEqual({
    url: "",
    verify_url: "",
    link: "",
    sign_in_address: "",
  });
  expect(clean({ name: address })).not.toEqual({ name: "" });
});

test("what is nested deeper than any reply is left out, however deep it is", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(JSON.stringify(clean({ id: 1, deep })).length).toBeLessThan(100);
});

test("lists of a million and fields named like those of all objects are read", () => {
  const reply: unknown = JSON.parse(
    `{"rows":[${'{"id":1},'.repeat(999_999)}{"id":1}],"__proto__":{"a":"\\u0000"},"constructor":1}`,
  );
  expect((clean(reply) as { rows: unknown[] }).rows).toHaveLength(1_000_000);
  expect({}).not.toHaveProperty("a");
});
