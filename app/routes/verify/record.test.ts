import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, suite, test } from "vitest";
import { languages, type Language } from "#lib/messages/languages.ts";
import type { Verification } from "#provider/contract/verify.ts";
import { LogEntry } from "./record.tsx";
import { InLanguage } from "./said.tsx";

type Entry = NonNullable<Verification["log_entry"]>;

const paragraphsOf = (language: Language, date: string, entry: Partial<Entry> | "pending" = {}) => {
  const log_entry: Entry = {
    number: 48_120,
    date: "2026-11-28",
    kind: "issued",
    seen_by: 0,
    log_began: "",
    problem: "",
    ...(entry !== "pending" && entry),
  };
  const inLog = entry === "pending" ? { log_pending: true } : { log_entry };
  const document = { code: "4C7H29KD3P172XQ08", date, ...inLog } as Verification;
  const spoken = { language, isChosen: false, issuerLanguage: "" as const };
  const html = renderToStaticMarkup(InLanguage({ spoken, children: createElement(LogEntry, { document }) }));
  return html.split("</p>").map((part) => part.replace(/<[^>]*>/g, ""));
};

suite("A document’s entry in the log", () => {
  test("is said in the words of the product", () => {
    expect(paragraphsOf("en", "2026-11-28", { seen_by: 2 })).toEqual([
      "Entered in the log as no. 48,120 on 28-11-2026, seen by 2 third parties. Save the proof · What is this log?",
      "",
    ]);
    expect(paragraphsOf("en", "2026-11-28", { newest: 48_130 })[0]).toBe(
      "Entered in the log as no. 48,120 on 28-11-2026. Save the proof · Proof of its newest entry, no. 48,130 · What is this log?",
    );
    expect(paragraphsOf("en", "2026-11-28", "pending")[0]).toBe("Not in the log yet: entries take about a minute.");
    expect(paragraphsOf("en", "2026-03-01", { seen_by: 1 }).slice(0, 2)).toEqual([
      "It is dated 01-03-2026, but was entered on 28-11-2026.",
      "Entered in the log as no. 48,120 on 28-11-2026, seen by 1 third party. Save the proof · What is this log?",
    ]);
    expect(paragraphsOf("en", "2026-11-27", { kind: "existing" })[0]).toBe(
      "It is dated 27-11-2026. It was entered on 28-11-2026, with all documents from before the log began.",
    );
  });

  test.each(languages)(
    "says in %s nothing of others without witnesses, and has a form for each number of them",
    (one) => {
      const said = [0, 1, 2, 5, 21].map((seen_by) => paragraphsOf(one, "2026-11-29", { seen_by })[0]!);
      expect(new Set(said).size).toBe(said.length);
      expect(said.slice(1).every((sentence) => sentence.length > said[0]!.length)).toBe(true);
      expect(said.join()).not.toMatch(/[{}#]|undefined/);
      expect(paragraphsOf(one, "2026-11-28")).toHaveLength(2);
      expect(paragraphsOf(one, "2026-11-27")).toHaveLength(3);
      expect(paragraphsOf(one, "unknown")).toHaveLength(2);
      const newest = ["pending" as const, { newest: 7 }].map((entry) => paragraphsOf(one, "2026-11-28", entry)[0]!);
      expect(newest.join()).not.toMatch(/[{}#]|undefined/);
    },
  );
});
