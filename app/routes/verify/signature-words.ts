import type { Words } from "#lib/messages/words.ts";
import type { Signature } from "#provider/contract/signatures.ts";
import type { Verification } from "#provider/contract/verify.ts";
import type { Tone } from "../../components/scan/verdict-words.ts";

/** What the check of a signed code showed; "unchecked" if it did not answer. */
export type CheckedSignature = Omit<Signature, "verdict"> & { verdict: Signature["verdict"] | "unchecked" };

type Headline = { title: string; sentence: string; advice: string };

/** The headline that a signature or the log takes from a document’s record; undefined if they take none. */
export function headlineOf(
  signature: CheckedSignature | undefined,
  { company, log_entry }: Pick<Verification, "company" | "log_entry">,
  { t, date }: Words,
): Headline | undefined {
  switch (signature?.verdict) {
    case "altered":
      return {
        title: t("signature.altered.title"),
        sentence: t("signature.altered.sentence"),
        advice: t("signature.advice", { company }),
      };
    case "unknown key":
      return {
        title: t("signature.altered.title"),
        sentence: t("signature.unknownKey.sentence"),
        advice: t("signature.advice", { company }),
      };
    case "revoked key":
      return {
        title: t("signature.revokedKey.title"),
        sentence: t("signature.revokedKey.sentence", { date: date(signature.revoked) }),
        advice: t("signature.advice", { company }),
      };
    case "contradicts":
      return {
        title: t("signature.contradicts.title"),
        sentence: t("signature.contradicts.sentence", { signer: signature.company }),
        advice: t("signature.contradicts.advice", { company }),
      };
    default:
      return log_entry?.problem
        ? {
            title: t("log.differs.title"),
            sentence: t("log.differs.sentence", {
              why: log_entry.problem,
              number: log_entry.newest ?? log_entry.number,
            }),
            advice: t("log.differs.advice", { company }),
          }
        : undefined;
  }
}

type Answer = { tone: Tone; answer: string };

/** What a signature makes of the answers about the issuer and the paper; undefined if it says nothing of one. */
export function signedAnswers(
  { verdict, company: signer, differs, revoked }: CheckedSignature,
  company: string,
  { t, date }: Words,
): { issuer?: Answer; paper?: Answer } {
  const genuine: Answer = {
    tone: "ok",
    answer: revoked
      ? t("answer.issuer.beforeRevoked", { company, date: date(revoked) })
      : t("answer.issuer.signed", { company }),
  };
  const isBelow = differs.length > 0;
  switch (verdict) {
    case "confirmed":
      return { issuer: genuine, paper: idle(t("answer.paper.confirmed")) };
    case "changed since":
      return { issuer: genuine, paper: idle(t(isBelow ? "answer.paper.changedBelow" : "answer.paper.changed")) };
    case "newer":
      return { issuer: { tone: "ok", answer: t("answer.issuer.newer", { company, signer }) } };
    case "altered":
      return {
        issuer: bad(t("answer.issuer.altered", { company })),
        paper: bad(t("answer.paper.altered")),
      };
    case "unknown key":
      return {
        issuer: bad(t("answer.issuer.unknownKey", { company })),
        paper: bad(t("answer.paper.altered")),
      };
    case "revoked key":
      return {
        issuer: bad(t("answer.issuer.revokedKey", { signer })),
        paper: bad(t("answer.paper.revokedKey")),
      };
    case "contradicts":
      return {
        issuer: signer === company ? genuine : bad(t("answer.issuer.contradicts", { company, signer })),
        paper: bad(t(isBelow ? "answer.paper.contradictsBelow" : "answer.paper.contradicts")),
      };
    case "unreadable":
      return { paper: idle(t("answer.paper.unreadable")) };
    case "unchecked":
      return { paper: idle(t("answer.paper.unchecked")) };
    case "no record":
      return {};
  }
}

const idle = (answer: string): Answer => ({ tone: "idle", answer });
const bad = (answer: string): Answer => ({ tone: "bad", answer });

/** What a signature adds to the sentence on a code without a document, or one that could not be looked up. */
export function signedRemark({ verdict, company: signer, revoked }: CheckedSignature, { t, date }: Words): string {
  if (verdict === "altered") return t("signature.remark.altered");
  if (verdict === "unknown key") return t("signature.remark.unknownKey");
  if (verdict === "revoked key") return t("signature.remark.revokedKey", { date: date(revoked) });
  return signer ? t("signature.remark.signer", { signer }) : "";
}
