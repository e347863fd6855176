import { expect, test } from "vitest";
import { languages } from "#lib/messages/languages.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { sayRefusal } from "./refusals.server.ts";

test("a limit of compared files is said as one, with the time when it goes on, in each language", () => {
  const init = { status: 429, headers: { "retry-after": "600" } };
  const messageIn = (language: (typeof languages)[number]) => {
    const words = wordsOf(language);
    return [sayRefusal("Too many", words, init, "refusal.file.limited"), sayRefusal("Too many", words, init)];
  };
  expect(messageIn("de")[0]).toBe(
    "Von hier aus oder mit diesem Dokument wurden zu viele Dateien verglichen. Sie können in 10 Minuten weitermachen.",
  );
  for (const language of languages) {
    const [ofFiles, ofAttempts] = messageIn(language);
    expect(ofFiles).toMatch(/10|١٠/);
    expect(ofFiles).not.toBe(ofAttempts);
  }
});
