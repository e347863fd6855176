import { daysInSeconds, hoursInSeconds, secondsInMs } from "#units";
import type { InForce, OfflineCheck } from "./offline-check.ts";
import type { Statement } from "./statement.ts";

/** What a check without a network says, on the page and on a terminal. */

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

/** When and by which keys a check was made, in seconds since 1970, and how dates and types are written. */
export type Setting = {
  now: number;
  keysAt: number;
  showDate(date: string): string;
  showInstant(seconds: number): string;
  typeName(type: number): string | undefined;
};

/** A new key is published for a day before it signs: older keys may lack one in use, and any revocation since. */
const keysAreGoodFor = daysInSeconds(1);
/** Where the day begins first, it is ahead of UTC by so much. */
const firstZone = hoursInSeconds(14);

type Signed = Extract<OfflineCheck, { kind: "signed" }>;
/** The answer to one question. What has a title may become that of the whole. */
type Part = { tone: Tone; title?: string; answer: string };

export function answerOf(check: OfflineCheck, setting: Setting): Answer {
  if (check.kind !== "signed") return { ...refusalOf(check, setting), questions: [], facts: [], isConfirmed: false };
  const { company, host, statement } = check;
  const [issued, inForce, paper] = [issuedPart(check, setting), inForcePart(check, setting), paperPart(check, setting)];
  const { tone, title } = worstOf([inForce, paper, issued]);
  return {
    tone,
    title: title!,
    sentence: company ? `${company}, as it calls itself, signed this code.` : `A company of ${host} signed this code.`,
    questions: [
      { question: "Issued by this company?", tone: issued.tone, answer: issued.answer },
      { question: "In force today?", tone: inForce.tone, answer: inForce.answer },
      { question: "Is it this paper?", tone: paper.tone, answer: paper.answer },
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
  if (check.kind === "revoked key") {
    const day = dateOf(check.revokedAt, setting);
    return {
      tone: "bad",
      title: "Signed with a revoked key",
      sentence: `The key${ofCompany(check.company)} was revoked on ${day}: whoever has it may have made this code. Open its address.`,
    };
  }
  if (check.kind === "other address") {
    return {
      tone: "idle",
      title: "A code of another address",
      sentence: `It belongs to ${check.host}, whose keys are not saved here. Its own page checks it, if you know that address.`,
    };
  }
  if (check.kind === "unknown key") return unknownKey(setting);
  return refusals[check.kind];
}

function unknownKey(setting: Setting): Refusal {
  const keys = `None of the keys of ${setting.showInstant(setting.keysAt)} made this signature`;
  if (areOld(setting)) {
    return {
      tone: "idle",
      title: "Signed with a key that is not saved",
      sentence: `${keys}, but there may be newer ones. Fetch them, and do not rely on the paper before.`,
    };
  }
  return {
    tone: "bad",
    title: "Signed with an unknown key",
    sentence: `${keys}. Do not rely on the paper.`,
  };
}

const refusals: Record<"no address" | "plain" | "unreadable" | "no keys" | "altered", Refusal> = {
  "no address": {
    tone: "idle",
    title: "Not a document’s code",
    sentence: "This is not a document’s verification address. Scan the code beside which the number is printed.",
  },
  plain: {
    tone: "idle",
    title: "This code is not signed",
    sentence: "Small and older codes carry an address alone. Open it when there is a network.",
  },
  unreadable: {
    tone: "idle",
    title: "The code is incomplete",
    sentence: "Its signature could not be read. Scan it again, closer and straight from above.",
  },
  "no keys": {
    tone: "idle",
    title: "No keys are saved yet",
    sentence: "Fetch the keys where there is a network, then check the code again.",
  },
  altered: {
    tone: "bad",
    title: "This code was altered",
    sentence:
      "Its signature is wrong: its digits or its address were changed, or copied from another code. Do not rely on the paper.",
  },
};

/** Names are as companies typed them, and published only where they want it. */
function issuedPart({ company, host }: Signed, setting: Setting): Part {
  const by = `by the keys of ${setting.showInstant(setting.keysAt)}`;
  const revoked = "Whether its key was revoked since is not known: fetch the newest keys.";
  if (!company) {
    const which = "which one is not known here: open its address.";
    return {
      tone: "idle",
      title: "Signed by a company not known here",
      answer: `Signed by a company of ${host}, ${by}; ${which}${areOld(setting) ? ` ${revoked}` : ""}`,
    };
  }
  const answer = `signed with a key of ${company}, as it calls itself, ${by}.`;
  return areOld(setting)
    ? { tone: "idle", title: "Signed, but the saved keys are old", answer: `It was ${answer} ${revoked}` }
    : { tone: "ok", title: "Signed", answer: `Yes: ${answer}` };
}

function inForcePart({ inForce, listedAt, statement }: Signed, { now, showInstant }: Setting): Part {
  const { answer, ...part } = states[inForce];
  const listed = listedAt === undefined ? "" : ` by the list of ${showInstant(listedAt)}`;
  const lastDay = statement === "newer" ? null : statement.lastDay;
  const isProlonged = inForce === "yes" && lastDay !== null && daysInSeconds(lastDay + 1) <= now;
  return { ...part, answer: answer(isProlonged ? `${listed}, though the last day in the code has passed` : listed) };
}

const states: Record<InForce, { tone: Tone; title: string; answer(listed: string): string }> = {
  yes: { tone: "ok", title: "Signed, and in force", answer: (listed) => `Yes,${listed}.` },
  no: { tone: "ended", title: "No longer in force", answer: (listed) => `No, withdrawn or expired${listed}.` },
  past: {
    tone: "ended",
    title: "Its last day has passed",
    answer: () => "No, by its last day. It may have been prolonged since: open its address.",
  },
  "ask online": {
    tone: "idle",
    title: "Signed; ask online whether it is in force",
    answer: (listed) => `Unknown${listed}: open its address.`,
  },
  unknown: {
    tone: "idle",
    title: "Signed; unknown whether it is in force",
    answer: () => "Unknown: no list that is still good is saved. Open its address.",
  },
};

function paperPart({ statement }: Signed, setting: Setting): Part {
  if (statement === "newer") {
    return {
      tone: "idle",
      title: "Signed, in a newer form",
      answer: "Unknown: what the code says is in a newer form. Open its address.",
    };
  }
  if (isAhead(statement, setting)) {
    const day = dateOf(statement.date * daysInSeconds(1), setting);
    return {
      tone: "bad",
      title: "Its date lies in the future",
      answer: `Doubtful: its date, ${day}, lies in the future. Do not rely on the paper.`,
    };
  }
  return { tone: "idle", answer: "Compare what the code says with it. A photocopy has the same code." };
}

/** Whether the date of issue has not begun in any time zone. */
const isAhead = ({ date }: Statement, { now }: Setting) => date * daysInSeconds(1) > now + firstZone;

const ofCompany = (company: string) => (company ? ` of ${company}` : "");

function factsOf({ number, type, date, lastDay, pages, copy, of }: Statement, setting: Setting): Answer["facts"] {
  return [
    ["Number", typeof number === "string" ? number : "Longer than a code has room for"],
    ["Type", setting.typeName(type) ?? "Of a later version"],
    ["Date", dateOf(date * daysInSeconds(1), setting)],
    ["Valid until", lastDay === null ? "No end is set" : dateOf(lastDay * daysInSeconds(1), setting)],
    ["Pages", String(pages)],
    ...(of > 1 ? [["Copy", `${copy} of ${of}`] as [string, string]] : []),
  ];
}

const dateOf = (seconds: number, { showDate }: Setting) =>
  showDate(new Date(seconds * secondsInMs(1)).toISOString().slice(0, 10));
