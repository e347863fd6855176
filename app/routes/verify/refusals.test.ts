import { expect, test } from "vitest";
import { languages } from "#lib/messages/languages.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { openReceived, requestReceivedCode } from "#provider/contract/received.ts";
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

test("what is wrong with a holder's address or code is said in each language", () => {
  const addresses = [
    "",
    "rita",
    "rita@",
    "ríta@recipient.example",
    `${"r".repeat(300)}@recipient.example`,
    "\0@b.example",
  ];
  const messages = [
    ...addresses.map((email) => requestReceivedCode.body.safeParse({ email })),
    openReceived.body.safeParse({ code: "1".repeat(30) }),
  ].flatMap(({ error }) => error!.issues.map(({ message }) => message));
  expect(messages.length).toBeGreaterThan(addresses.length);
  for (const language of languages.filter((one) => one !== "en")) {
    for (const message of messages) expect(sayRefusal(message, wordsOf(language), null), language).not.toBe(message);
  }
});
