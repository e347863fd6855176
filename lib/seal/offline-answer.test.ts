import { describe, expect, test } from "vitest";
import { offlineWords } from "../messages/offline-words.ts";
import { type Answer, answerOf } from "./offline-answer.ts";
import type { OfflineCheck } from "./offline-check.ts";

/** What a check without a network says of each outcome. */

const day = 86_400;
const date = 20_780;
/** Noon in UTC of the day of issue. */
const now = date * day + day / 2;
const setting = {
  now,
  keysAt: now - 60,
  showDate: (text: string) => text,
  showInstant: (seconds: number) => new Date(seconds * 1000).toISOString(),
  typeName: () => "Certificate",
  words: offlineWords,
};
const statement = {
  number: "NM-7K2P9Q",
  type: 2,
  date,
  lastDay: null,
  digest: null,
  pages: 12,
  copy: 1,
  of: 1,
  revision: 2,
};
type Signed = Extract<OfflineCheck, { kind: "signed" }>;
const signed: Signed = {
  kind: "signed",
  code: "4C7H29KD3P172XQ08",
  host: "sealdesk.example",
  company: "Hallam & Reid Ltd",
  kid: "P7Vy",
  statement,
  inForce: "yes",
  listedAt: now - 60,
};
const answer = (part: Partial<Signed> = {}, when: Partial<typeof setting> = {}) =>
  answerOf({ ...signed, ...part }, { ...setting, ...when });
const tones = ({ tone, questions }: Answer) => [tone, ...questions.map((question) => question.tone)];

describe("a signed code", () => {
  test("of a company with a name is issued by it, as it calls itself, by keys of a day", () => {
    expect(answer()).toMatchObject({ title: "Signed, and in force", isConfirmed: true });
    expect(tones(answer())).toEqual(["ok", "ok", "ok", "idle"]);
    expect(answer().questions[0]!.answer).toBe(
      "Yes: signed with a key of Hallam & Reid Ltd, as it calls itself, by the keys of 2026-11-23T11:59:00.000Z.",
    );
  });

  test("of a company without a name is never called issued by this company", () => {
    const unnamed = answer({ company: "" });
    expect(tones(unnamed)).toEqual(["idle", "idle", "ok", "idle"]);
    expect(unnamed.title).toBe("Signed by a company not known here");
    expect(unnamed.questions[0]!.answer).toMatch(/^Signed by a company of sealdesk\.example.*open its address\.$/);
    expect(unnamed.isConfirmed).toBe(true);
  });

  test("has the tone and title of its worst part", () => {
    expect(answer({ company: "", inForce: "no" })).toMatchObject({ tone: "ended", title: "No longer in force" });
    expect(answer({ inForce: "unknown" })).toMatchObject({ tone: "idle", isConfirmed: false });
    const ahead = { ...statement, date: date + 2 };
    expect(answer({ inForce: "no", statement: ahead })).toMatchObject({ tone: "bad" });
  });

  test("that was prolonged is in force by its list, though not by the day in the code", () => {
    const past = answer({ statement: { ...statement, lastDay: date - 1 } });
    expect(past.questions[1]!.answer).toMatch(/^Yes, by the list of .*, though the last day in the code has passed\.$/);
    const today = answer({ statement: { ...statement, lastDay: date } });
    expect(today.questions[1]!.answer).not.toContain("though");
  });

  test("by keys of more than a day is not known to be by a key that still counts", () => {
    expect(answer({}, { keysAt: now - day }).tone).toBe("ok");
    const old = answer({}, { keysAt: now - day - 1 });
    expect(old).toMatchObject({ tone: "idle", title: "Signed, but the saved keys are old", isConfirmed: false });
    expect(old.questions[0]!.answer).toContain("revoked since is not known");
  });

  test("with a date that has come nowhere yet is not relied on", () => {
    const tomorrow = { ...statement, date: date + 1 };
    const ten = date * day + 10 * 3600;
    expect(answer({ statement: tomorrow }, { now: ten, keysAt: ten })).toMatchObject({ tone: "ok", isConfirmed: true });
    const before = answer({ statement: tomorrow }, { now: ten - 1, keysAt: ten - 1 });
    expect(before).toMatchObject({ tone: "bad", title: "Its date lies in the future", isConfirmed: false });
    expect(tones(before)).toEqual(["bad", "ok", "ok", "bad"]);
  });

  test("whose statement is of a later version is doubtful at best", () => {
    const newer = answer({ statement: "newer" });
    expect(newer).toMatchObject({ tone: "idle", title: "Signed, in a newer form", facts: [], isConfirmed: false });
    expect(answer({ statement: "newer", inForce: "no" }).tone).toBe("ended");
  });
});

test("an unknown key is bad by keys of a day, and may be new by older ones", () => {
  const check = { kind: "unknown key", code: signed.code } as const;
  expect(answerOf(check, setting)).toMatchObject({ tone: "bad", title: "Signed with an unknown key" });
  expect(answerOf(check, { ...setting, keysAt: now - 2 * day })).toMatchObject({ tone: "idle" });
});

test("without keys, or of another installation, a code is not called wrong", () => {
  expect(answerOf({ kind: "no keys", code: signed.code }, setting).tone).toBe("idle");
  const other = answerOf({ kind: "other address", code: signed.code, host: "other.example" }, setting);
  expect(other).toMatchObject({ tone: "idle", title: "A code of another address" });
  expect(other.sentence).toContain("other.example");
});

test("each outcome has its sentence", () => {
  const { code } = signed;
  const sentence = (check: OfflineCheck, when: Partial<typeof setting> = {}) =>
    answerOf(check, { ...setting, showInstant: () => "noon", ...when }).sentence;
  expect([answer().sentence, answer({ company: "" }).sentence]).toEqual([
    "Hallam & Reid Ltd, as it calls itself, signed this code.",
    "A company of sealdesk.example signed this code.",
  ]);
  const revoked = { kind: "revoked key", code, revokedAt: now } as const;
  const since = "was revoked on 2026-11-23: whoever has it may have made this code. Open its address.";
  expect(sentence({ ...revoked, company: "" })).toBe(`The key ${since}`);
  expect(sentence({ ...revoked, company: "Hallam" })).toBe(`The key of Hallam ${since}`);
  const unknown = { kind: "unknown key", code } as const;
  expect(sentence(unknown)).toBe("None of the keys of noon made this signature. Do not rely on the paper.");
  expect(sentence(unknown, { keysAt: now - 2 * day })).toBe(
    "None of the keys of noon made this signature, but there may be newer ones. Fetch them, and do not rely on the paper before.",
  );
});

test.each([
  ["yes", "Yes, by the list of noon."],
  ["no", "No, withdrawn or expired by the list of noon."],
  ["past", "No, by its last day. It may have been prolonged since: open its address."],
  ["ask online", "Unknown by the list of noon: open its address."],
  ["unknown", "Unknown: no list that is still good is saved. Open its address."],
] as const)("whether it is in force is answered: %s", (inForce, message) => {
  expect(answer({ inForce }, { showInstant: () => "noon" }).questions[1]!.answer).toBe(message);
});

test("the facts say what the code has, and what it has no room for", () => {
  const { facts } = answer({ statement: { ...statement, copy: 2, of: 3, lastDay: date } });
  expect(Object.fromEntries(facts)).toEqual({
    Number: "NM-7K2P9Q",
    Type: "Certificate",
    Date: "2026-11-23",
    "Valid until": "2026-11-23",
    Pages: "12",
    Copy: "2 of 3",
  });
  expect(Object.fromEntries(answer().facts)).toMatchObject({ "Valid until": "No end is set" });
});
