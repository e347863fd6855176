import type { Words } from "#lib/messages/words.ts";
import type { Signature } from "#provider/contract/signatures.ts";
import type { Tone } from "../../components/scan/verdict-words.ts";

/** What the check of a signed code showed; "unchecked" where it did not answer. */
export type CheckedSignature = Omit<Signature, "verdict"> & { verdict: Signature["verdict"] | "unchecked" };

type Headline = { title: string; sentence: string; advice: string };

/** The headline that a signature takes from the record of a document by `company`; undefined if it takes none. */
export function headlineOf(
  signature: CheckedSignature | undefined,
  company: string,
  { say, date }: Words,
): Headline | undefined {
  switch (signature?.verdict) {
    case "altered":
      return {
        title: say("signature.altered.title"),
        sentence: say("signature.altered.sentence"),
        advice: say("signature.advice", { company }),
      };
    case "unknown key":
      return {
        title: say("signature.altered.title"),
        sentence: say("signature.unknownKey.sentence"),
        advice: say("signature.advice", { company }),
      };
    case "revoked key":
      return {
        title: say("signature.revokedKey.title"),
        sentence: say("signature.revokedKey.sentence", { date: date(signature.revoked) }),
        advice: say("signature.advice", { company }),
      };
    case "contradicts":
      return {
        title: say("signature.contradicts.title"),
        sentence: say("signature.contradicts.sentence", { signer: signature.company }),
        advice: say("signature.contradicts.advice", { company }),
      };
    default:
      return undefined;
  }
}

type Answer = { tone: Tone; answer: string };

/** What a signature makes of the answers about the issuer and the paper; undefined where it says nothing of one. */
export function signedAnswers(
  { verdict, company: signer, differs, revoked }: CheckedSignature,
  company: string,
  { say, date }: Words,
): { issuer?: Answer; paper?: Answer } {
  const genuine: Answer = {
    tone: "ok",
    answer: revoked
      ? say("answer.issuer.beforeRevoked", { company, date: date(revoked) })
      : say("answer.issuer.signed", { company }),
  };
  const isBelow = differs.length > 0;
  switch (verdict) {
    case "confirmed":
      return { issuer: genuine, paper: idle(say("answer.paper.confirmed")) };
    case "changed since":
      return { issuer: genuine, paper: idle(say(isBelow ? "answer.paper.changedBelow" : "answer.paper.changed")) };
    case "newer":
      return { issuer: { tone: "ok", answer: say("answer.issuer.newer", { company, signer }) } };
    case "altered":
      return {
        issuer: bad(say("answer.issuer.altered", { company })),
        paper: bad(say("answer.paper.altered")),
      };
    case "unknown key":
      return {
        issuer: bad(say("answer.issuer.unknownKey", { company })),
        paper: bad(say("answer.paper.altered")),
      };
    case "revoked key":
      return {
        issuer: bad(say("answer.issuer.revokedKey", { signer })),
        paper: bad(say("answer.paper.revokedKey")),
      };
    case "contradicts":
      return {
        issuer: signer === company ? genuine : bad(say("answer.issuer.contradicts", { company, signer })),
        paper: bad(say(isBelow ? "answer.paper.contradictsBelow" : "answer.paper.contradicts")),
      };
    case "unreadable":
      return { paper: idle(say("answer.paper.unreadable")) };
    case "unchecked":
      return { paper: idle(say("answer.paper.unchecked")) };
    case "no record":
      return {};
  }
}

const idle = (answer: string): Answer => ({ tone: "idle", answer });
const bad = (answer: string): Answer => ({ tone: "bad", answer });

/** What a signature adds to the sentence on a code without a document, or one that could not be looked up. */
export function signedRemark({ verdict, company: signer, revoked }: CheckedSignature, { say, date }: Words): string {
  if (verdict === "altered") return say("signature.remark.altered");
  if (verdict === "unknown key") return say("signature.remark.unknownKey");
  if (verdict === "revoked key") return say("signature.remark.revokedKey", { date: date(revoked) });
  return signer ? say("signature.remark.signer", { signer }) : "";
}
