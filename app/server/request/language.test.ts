import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languages } from "#lib/messages/languages.ts";
import { acceptedLanguage, chosenLanguage, languageOf } from "./language.ts";

describe("the language of a request", () => {
  test.each([
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["en;q=0.1, ar-EG;q=0.5", "ar"],
    ["fr;q=0, it", "it"],
    ["fr;q=0", undefined],
    ["zh-Hant-TW", "zh"],
    ["PT-br", "pt"],
    ["nb, sv;q=0.9, pl;q=0.2", "pl"],
    ["pl, uk", "pl"],
    ["*", undefined],
    ["*, de;q=0.1", "de"],
    ["nb", undefined],
    ["de;q=2", undefined],
    ["de;q=", undefined],
    ["", undefined],
    [null, undefined],
    [`${"x".repeat(10_000)},de`, undefined],
    [`${"en-x,".repeat(5000)}de`, "en"],
    [`${"sv,".repeat(40)}de`, undefined],
  ])("is the best of %s: %s", (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });

  test("is one of ours or none, whatever the header says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (header) => {
        expect([...languages, undefined]).toContain(acceptedLanguage(header));
      }),
    );
  });

  test("is the chosen one, whatever the browser prefers", () => {
    const headers = new Headers({ "accept-language": "de" });
    expect(languageOf({ url: "https://desk.example/v?lang=tr", headers })).toBe("tr");
    expect(languageOf({ url: "https://desk.example/v?lang=xx", headers })).toBe("de");
    expect(["pt-BR", "DE", "zh-hant"].map((tag) => chosenLanguage(`/v?lang=${tag}`))).toEqual(["pt", "de", "zh"]);
    expect(["__proto__", "-", "deutsch"].map((tag) => chosenLanguage(`/v?lang=${tag}`))).toEqual(
      Array(3).fill(undefined),
    );
  });
});
