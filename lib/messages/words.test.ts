import { describe, expect, test } from "vitest";
import { languages } from "./languages.ts";
import { partsOf, plainText } from "./isolates.ts";
import { wordsOf } from "./words.ts";

describe("words", () => {
  test("are those of English as they were before there were others", () => {
    const { t, date, pageList } = wordsOf("en");
    expect(plainText(t("verdict.expired.sentence", { company: "Acme", date: date("2026-11-21") }))).toBe(
      "Acme issued this document, but it expired on 21-11-2026.",
    );
    expect(plainText(pageList([9, 1, 3, 4, 5, 6]))).toBe("1, 3 to 6 and 9");
  });

  test.each([
    ["de", "21. November 2026"],
    ["uk", "21 листопада 2026 року"],
    ["ar", "21 نوفمبر 2026"],
    ["hi", "21 नवंबर 2026"],
    ["zh", "2026年11月21日"],
  ] as const)("in %s have a date in words, in the digits of the paper", (language, rendering) => {
    expect(plainText(wordsOf(language).date("2026-11-21")).replaceAll(/[\u2066-\u2069]/g, "")).toBe(rendering);
  });

  test.each([
    ["pl", [1, 2, 5, 22], ["1 minutę", "2 minuty", "5 minut", "22 minuty"]],
    ["uk", [1, 2, 5, 21], ["1 хвилину", "2 хвилини", "5 хвилин", "21 хвилину"]],
    ["ar", [1, 2, 3, 11], ["دقيقة واحدة", "دقيقتين", "3 دقائق", "11 دقيقة"]],
  ] as const)("in %s count by its own plurals", (language, counts, shown) => {
    const { t } = wordsOf(language);
    for (const [n, minutes] of counts.entries()) expect(t("refusal.limited", { minutes })).toContain(shown[n]);
  });

  test("keep a text of others apart from the sentence, whichever way it turns", () => {
    for (const language of languages) {
      const sentence = wordsOf(language).t("report.thanks", { company: "شركة\u2069\u202E الأمانة" });
      expect(partsOf(sentence).filter(({ kind }) => kind === "theirs")).toEqual([
        { kind: "theirs", text: "شركة الأمانة" },
      ]);
    }
  });

  test("break no line before a mark that French sets apart", () => {
    expect(wordsOf("fr").t("question.paper")).toBe("Est-ce bien ce papier\u00a0?");
  });

  test("show a date that is none as it is", () => {
    for (const language of languages) {
      expect(partsOf(wordsOf(language).date("2026-13-45"))).toEqual([{ kind: "theirs", text: "2026-13-45" }]);
    }
  });
});
