import { daysInSeconds, hoursInSeconds, secondsInMs } from "../units.ts";
import type { InForce, OfflineCheck } from "./offline-check.ts";
import type { Statement } from "./statement.ts";

/** The answer of a check without a network, on the page and on a terminal. */

type Tone = "ok" | "idle" | "ended" | "bad";

export type Answer = {
  /** The worst of what follows. */
  tone: Tone;
  title: string;
  sentence: string;
  questions: { question: string; tone: Tone; answer: string }[];
  facts: [name: string, value: string][];
  /** Whether nothing is in doubt; a company without a name beside its keys is none. */
  isConfirmed: boolean;
};

type Says<Name extends string> = (values: Record<Name, string>) => string;

/** Whole sentences in the reader's language; dates and times come formatted. */
type AnswerWords = {
  refusals: Record<PlainRefusal, Said>;
  revokedKey: { title: string; sentence: Says<"day">; sentenceOfCompany: Says<"company" | "day"> };
  otherAddress: { title: string; sentence: Says<"host"> };
  unsavedKey: { title: string; sentence: Says<"keysAt"> };
  unknownKey: { title: string; sentence: Says<"keysAt"> };
  /** Of a company whose name is, and is not, beside its keys. */
  signedBy: Says<"company">;
  signedByUnnamed: Says<"host">;
  questions: Record<"issued" | "inForce" | "paper", string>;
  issued: {
    title: string;
    oldTitle: string;
    unnamedTitle: string;
    answer: Says<"company" | "keysAt">;
    oldAnswer: Says<"company" | "keysAt">;
    unnamedAnswer: Says<"host" | "keysAt">;
    oldUnnamedAnswer: Says<"host" | "keysAt">;
  };
  inForce: Record<InForce, { title: string; answer: string; answerByList?: Says<"listedAt"> }> & {
    /** Though the last day in the code has passed. */
    prolongedByList: Says<"listedAt">;
  };
  paper: { answer: string; newerTitle: string; newerAnswer: string; aheadTitle: string; aheadAnswer: Says<"day"> };
  facts: Record<"number" | "type" | "date" | "lastDay" | "pages" | "copy", string>;
  longNumber: string;
  laterType: string;
  noLastDay: string;
  copyOf: (values: { copy: number; of: number }) => string;
};

/** When and by which keys a check was made, in seconds since 1970, and how dates, types and answers are written. */
export type Setting = {
  now: number;
  keysAt: number;
  showDate(date: string): string;
  showInstant(seconds: number): string;
  typeName(type: number): string | undefined;
  words: AnswerWords;
};

/** A new key is published for a day before it signs: older keys may lack one in use, and any revocation since. */
const keysAreGoodFor = daysInSeconds(1);
/** The time zone where the day begins first is ahead of UTC by so much. */
const firstZone = hoursInSeconds(14);

type PlainRefusal = "no address" | "plain" | "unreadable" | "no keys" | "altered";
type Said = { title: string; sentence: string };

type Signed = Extract<OfflineCheck, { kind: "signed" }>;
/** The answer to one question. A part with a title may become the answer to the whole. */
type Part = { tone: Tone; title?: string; answer: string };

export function answerOf(check: OfflineCheck, setting: Setting): Answer {
  if (check.kind !== "signed") return { ...refusalOf(check, setting), questions: [], facts: [], isConfirmed: false };
  const { company, host, statement } = check;
  const { words } = setting;
  const [issued, inForce, paper] = [issuedPart(check, setting), inForcePart(check, setting), paperPart(check, setting)];
  const { tone, title } = worstOf([inForce, paper, issued]);
  return {
    tone,
    title: title!,
    sentence: company ? words.signedBy({ company }) : words.signedByUnnamed({ host }),
    questions: [
      { question: words.questions.issued, tone: issued.tone, answer: issued.answer },
      { question: words.questions.inForce, tone: inForce.tone, answer: inForce.answer },
      { question: words.questions.paper, tone: paper.tone, answer: paper.answer },
    ],
    facts: statement === "newer" ? [] : factsOf(statement, setting),
    isConfirmed: inForce.tone === "ok" && paper.title === undefined && !areOld(setting),
  };
}

const severity: Tone[] = ["ok", "idle", "ended", "bad"];

/** The first of the worst that have a title. */
const worstOf = (parts: Part[]) =>
  parts
    .filter(({ title }) => title !== undefined)
    .toSorted((a, b) => severity.indexOf(b.tone) - severity.indexOf(a.tone))[0]!;

const areOld = ({ now, keysAt }: Setting) => now - keysAt > keysAreGoodFor;

type Refusal = Pick<Answer, "tone" | "title" | "sentence">;

function refusalOf(check: Exclude<OfflineCheck, Signed>, setting: Setting): Refusal {
  const { words } = setting;
  if (check.kind === "revoked key") {
    const [day, company] = [dateOf(check.revokedAt, setting), check.company];
    const { title, sentence, sentenceOfCompany } = words.revokedKey;
    return { tone: "bad", title, sentence: company ? sentenceOfCompany({ company, day }) : sentence({ day }) };
  }
  if (check.kind === "other address") {
    const { title, sentence } = words.otherAddress;
    return { tone: "idle", title, sentence: sentence({ host: check.host }) };
  }
  if (check.kind === "unknown key") {
    const isOld = areOld(setting);
    const { title, sentence } = isOld ? words.unsavedKey : words.unknownKey;
    return { tone: isOld ? "idle" : "bad", title, sentence: sentence({ keysAt: setting.showInstant(setting.keysAt) }) };
  }
  return { tone: check.kind === "altered" ? "bad" : "idle", ...words.refusals[check.kind] };
}

/** Names are as companies typed them, and published only if they want it. */
function issuedPart({ company, host }: Signed, setting: Setting): Part {
  const isOld = areOld(setting);
  const keysAt = setting.showInstant(setting.keysAt);
  const { title, oldTitle, unnamedTitle, answer, oldAnswer, unnamedAnswer, oldUnnamedAnswer } = setting.words.issued;
  if (!company) {
    const phrase = isOld ? oldUnnamedAnswer : unnamedAnswer;
    return { tone: "idle", title: unnamedTitle, answer: phrase({ host, keysAt }) };
  }
  return isOld
    ? { tone: "idle", title: oldTitle, answer: oldAnswer({ company, keysAt }) }
    : { tone: "ok", title, answer: answer({ company, keysAt }) };
}

const tonesInForce: Record<InForce, Tone> = {
  yes: "ok",
  no: "ended",
  past: "ended",
  "ask online": "idle",
  unknown: "idle",
};

function inForcePart({ inForce, listedAt, statement }: Signed, { now, showInstant, words }: Setting): Part {
  const { title, answer, answerByList } = words.inForce[inForce];
  const part = { tone: tonesInForce[inForce], title };
  const lastDay = statement === "newer" ? null : statement.lastDay;
  const isProlonged = inForce === "yes" && lastDay !== null && daysInSeconds(lastDay + 1) <= now;
  const phrase = isProlonged ? words.inForce.prolongedByList : answerByList;
  return { ...part, answer: listedAt === undefined || !phrase ? answer : phrase({ listedAt: showInstant(listedAt) }) };
}

function paperPart({ statement }: Signed, setting: Setting): Part {
  const { answer, newerTitle, newerAnswer, aheadTitle, aheadAnswer } = setting.words.paper;
  if (statement === "newer") return { tone: "idle", title: newerTitle, answer: newerAnswer };
  if (isAhead(statement, setting)) {
    const day = dateOf(statement.date * daysInSeconds(1), setting);
    return { tone: "bad", title: aheadTitle, answer: aheadAnswer({ day }) };
  }
  return { tone: "idle", answer };
}

/** Whether the date of issue is in the future in every time zone. */
const isAhead = ({ date }: Statement, { now }: Setting) => date * daysInSeconds(1) > now + firstZone;

function factsOf({ number, type, date, lastDay, pages, copy, of }: Statement, setting: Setting): Answer["facts"] {
  const { facts, longNumber, laterType, noLastDay, copyOf } = setting.words;
  return [
    [facts.number, typeof number === "string" ? number : longNumber],
    [facts.type, setting.typeName(type) ?? laterType],
    [facts.date, dateOf(date * daysInSeconds(1), setting)],
    [facts.lastDay, lastDay === null ? noLastDay : dateOf(lastDay * daysInSeconds(1), setting)],
    [facts.pages, String(pages)],
    ...(of > 1 ? [[facts.copy, copyOf({ copy, of })] as [string, string]] : []),
  ];
}

const dateOf = (seconds: number, { showDate }: Setting) =>
  showDate(new Date(seconds * secondsInMs(1)).toISOString().slice(0, 10));
