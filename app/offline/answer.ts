import type { InForce, OfflineCheck } from "#seal/offline-check.ts";
import type { Statement } from "#seal/statement.ts";
import { documentTypes } from "#provider/contract/document-options.ts";
import { daysInSeconds, secondsInMs } from "#units";
import { showDate } from "../components/format.ts";
import type { Tone } from "../components/verdict-words.ts";

/** A check without a network in words, in the same three lines as the verification page's. */
export type Answer = {
  tone: Tone;
  title: string;
  sentence: string;
  questions: { question: string; tone: Tone; answer: string }[];
  facts: [name: string, value: string][];
};

const refusals: Record<Exclude<OfflineCheck["kind"], "signed" | "revoked key">, Omit<Answer, "questions" | "facts">> = {
  "no address": {
    tone: "idle",
    title: "Not a document’s code",
    sentence: "It is not the address of a document’s check. Scan the code beside which the number is printed.",
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
  altered: {
    tone: "bad",
    title: "This code was altered",
    sentence:
      "Its signature is wrong: its digits or its address were changed, or copied from another code. Do not rely on the paper.",
  },
  "unknown key": {
    tone: "bad",
    title: "Signed with an unknown key",
    sentence: "No saved key made this signature. Fetch the newest keys, and do not rely on the paper before.",
  },
};

export function answerOf(check: OfflineCheck, now: number): Answer {
  if (check.kind === "revoked key") {
    const day = dateOf(check.revokedAt);
    return {
      tone: "bad",
      title: "Signed with a revoked key",
      sentence: `The key${ofCompany(check.company)} was revoked on ${day}: whoever has it may have made this code. Open its address.`,
      questions: [],
      facts: [],
    };
  }
  if (check.kind !== "signed") return { ...refusals[check.kind], questions: [], facts: [] };
  const { company, statement, inForce, listedAt } = check;
  const state = states[inForce];
  const listed = listedAt === undefined ? "" : ` by the list of ${instantOf(listedAt)}`;
  const isNewer = statement === "newer";
  return {
    tone: state.tone,
    title: state.title,
    sentence: `${company || "A company of this address"} signed this code.`,
    questions: [
      {
        question: "Issued by this company?",
        tone: "ok",
        answer: `Yes: signed with a key${ofCompany(company || "this address")}.`,
      },
      { question: "In force today?", tone: state.tone, answer: state.answer(listed) },
      {
        question: "Is it this paper?",
        tone: "idle",
        answer: isNewer
          ? "Unknown: what the code says is in a newer form. Open its address."
          : "Compare what the code says with it. A photocopy has the same code.",
      },
    ],
    facts: isNewer ? [] : factsOf(statement, now),
  };
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

const ofCompany = (company: string) => (company ? ` of ${company}` : "");

function factsOf({ number, type, date, lastDay, pages, copy, of }: Statement, now: number): Answer["facts"] {
  const day = dateOf(date * daysInSeconds(1));
  return [
    ["Number", typeof number === "string" ? number : "Longer than a code has room for"],
    ["Type", Object.keys(documentTypes)[type - 1] ?? "Of a later version"],
    ["Date", date * daysInSeconds(1) > now ? `${day}, which lies in the future` : day],
    ["Valid until", lastDay === null ? "No end is set" : dateOf(lastDay * daysInSeconds(1))],
    ["Pages", String(pages)],
    ...(of > 1 ? [["Copy", `${copy} of ${of}`] as [string, string]] : []),
  ];
}

const dateOf = (seconds: number) => showDate(new Date(seconds * secondsInMs(1)).toISOString().slice(0, 10));

/** In the time zone of the device. */
const instantOf = (seconds: number) =>
  new Date(seconds * secondsInMs(1)).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
