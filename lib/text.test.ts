import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asciiDomain, fold, foldEmail, foldTyped, withoutUnseen } from "./text.ts";

describe("folded text", () => {
  test.each([
    ["İSTANBUL", "istanbul"],
    ["Işık", "isik"],
    ["Straße", "STRASSE"],
    ["GROẞE", "grosse"],
    ["Łódź", "lodz"],
    ["Søren Ærø Åse", "soren aero ase"],
    ["Đặng Thị Hồng", "dang thi hong"],
    ["Œuvre", "oeuvre"],
    ["ﬁrma ﬂuss", "firma fluss"],
    ["ＡＢＣ１２３", "abc123"],
    ["٢٠٢٦", "2026"],
    ["۲۰۲۶", "2026"],
    ["२०२६", "2026"],
    ["২০২৬", "2026"],
    ["๒๐๒๖", "2026"],
    ["أحمد", "احمد"],
    ["إبراهيم", "ابراهيم"],
    ["مُحَمَّد", "محمد"],
    ["محـــمد", "محمد"],
    ["علی", "علي"],
    ["مصطفى", "مصطفي"],
    ["کتاب", "كتاب"],
    ["شعبه‌ی تهران", "شعبهی تهران"],
    ["क्‍षमा", "क्षमा"],
    ["क़लम", "कलम"],
    ["Ёлка", "елка"],
    ["ΟΔΟΣ", "οδός"],
    ["Ψυχή", "ΨΥΧΗ"],
    ["a—b‑c−d", "a-b-c-d"],
    ["a\u00a0\u2003 b", "a b"],
    ["O’Brien", "o'brien"],
    ["zero\u200bwidth\u00ad", "zerowidth"],
    ["e\u0301", "é"],
    ["한글", "한글".normalize("NFD")],
  ])("of %s is that of %s", (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  test.each([
    ["й", "и"],
    ["Київ", "Киів"],
    ["が", "か"],
    ["किताब", "कताब"],
    ["ก", "กา"],
    ["a", "b"],
  ])("tells %s from %s", (one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  const text = fc.string({ unit: "binary" });

  test("stays as it is when it is folded again", () => {
    fc.assert(fc.property(text, (value) => void expect(fold(fold(value))).toBe(fold(value))));
    for (let code = 0; code < 0x20000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const folded = fold(String.fromCodePoint(code));
      if (fold(folded) !== folded) expect.fail(`U+${code.toString(16)}`);
    }
  });

  test("is one for texts that Unicode takes for one", () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const form of ["NFC", "NFD"]) expect(fold(value.normalize(form))).toBe(fold(value));
      }),
    );
  });
});

test("letters of other scripts that look like Latin ones are typed for these", () => {
  expect(foldTyped("NМ-ОО١")).toBe("nm-oo1");
  expect(foldTyped("ΟΡΑ")).toBe("opa");
  expect(foldTyped("\u0417\u04C0-\u051A\u051C\u0500\u04BA\u0251\u0261\u0555")).toBe("3l-qwdhago");
});

test("drops invisible characters, and keeps those that are part of names", () => {
  expect(withoutUnseen("\u202aZW-\u00ad0001\u200b\u202c")).toBe("ZW-0001");
  expect(withoutUnseen("\ufeffName\u2060")).toBe("Name");
  expect(withoutUnseen("\u200f שלום \u200e")).toBe("שלום");
  expect(withoutUnseen("علی\u200cرضا")).toBe("علی\u200cرضا");
  expect(withoutUnseen("👩\u200d👧")).toBe("👩\u200d👧");
  expect(withoutUnseen("C++\u200e של")).toBe("C++\u200e של");
  expect(withoutUnseen("\u200c\u3164 \u200d")).toBe("");
});

test("email addresses are one by their domain in both forms, and apart by accents before it", () => {
  expect(foldEmail("Ann.O'Hara+x@Bücher.example")).toBe(foldEmail("ann.o'hara+x@xn--bcher-kva.EXAMPLE"));
  expect(foldEmail("jose@a.example")).not.toBe(foldEmail("josé@a.example"));
  expect(foldEmail("mike@a.example")).not.toBe(foldEmail("mıke@a.example"));
});

test.each(["example", "1.2.3.4", "a b.example", "a/b.example", "a@b.example", "-a.example", "a_b.example", ""])(
  "“%s” is no domain of an email address",
  (domain) => expect(asciiDomain(domain)).toBeUndefined(),
);
