import { expect, test } from "vitest";
import { groupedCode, newCode, newNumber, readCode } from "./codes.ts";

test("a code has 17 unambiguous characters and is unique", () => {
  const codes = Array.from({ length: 1000 }, newCode);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{17}$/);
  expect(new Set(codes).size).toBe(1000);
});

test("a code is 80 bits, five at a time, and Luhn's character", () => {
  expect(newCode(Buffer.from("00010203040506070809", "hex"))).toBe("4R04G000902E03M0J");
  expect(newCode(Buffer.alloc(10))).toBe("00000000000000000");
  expect(groupedCode("00010203040506070")).toBe("0001-0203-0405-0607-0");
});

test("a code is accepted as printed, in lower case, and with O, I and L for 0 and 1", () => {
  const code = newCode();
  expect(groupedCode(code)).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}-\w$/);
  expect(readCode(groupedCode(code))).toBe(code);
  expect(readCode(` ${code.toLowerCase()} `)).toBe(code);
  const ones = newCode(Buffer.from("08421084210000000000", "hex"));
  expect(ones).toMatch(/^1{8}0{8}/);
  expect(readCode(ones.replaceAll("0", "O").replaceAll("1", "l"))).toBe(ones);
});

test.each([
  ["wide characters", "Ｓ０ＶＴ－２９９０－８２ＢＸ－ＧＶＣＸ－Ｔ"],
  ["Arabic digits", "S٠VT-٢٩٩٠-٨٢BX-GVCX-T"],
  ["Persian digits", "S۰VT-۲۹۹۰-۸۲BX-GVCX-T"],
  ["digits of Devanagari", "S०VT-२९९०-८२BX-GVCX-T"],
  ["Cyrillic letters that look alike", "S0VТ-2990-82ВХ-GVСХ-Т"],
  ["dashes and marks of direction", "\u202AS0VT–2990—82BX‑GVCX-T\u200F"],
])("a code is accepted with %s of other keyboards", (_, input) => {
  expect(readCode(input)).toBe("S0VT299082BXGVCXT");
});

test("each digit of other keyboards is that digit", () => {
  for (const zero of [0x660, 0x6f0, 0x966]) {
    const digits = Array.from({ length: 10 }, (_, n) => String.fromCodePoint(zero + n));
    const code = newCode();
    expect(readCode(code.replace(/\d/g, (digit) => digits[Number(digit)]!))).toBe(code);
  }
});

test("every single wrong character is detected", () => {
  const code = newCode();
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  for (let place = 0; place < code.length; place++) {
    for (const wrong of alphabet) {
      if (wrong === code[place]) continue;
      expect(readCode(code.slice(0, place) + wrong + code.slice(place + 1))).toBeUndefined();
    }
  }
});

test("rejects malformed codes", () => {
  for (const input of ["", "NM-4C7H29", "U".repeat(17), "Ж".repeat(17), "U0000000000000002", `${newCode()}0`])
    expect(readCode(input)).toBeUndefined();
});

test("a proposed number begins with NM-", () => {
  expect(newNumber()).toMatch(/^NM-[0-9A-HJKMNP-TV-Z]{6}$/);
});
