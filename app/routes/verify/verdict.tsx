import type { Words } from "#lib/messages/words.ts";
import type { Verification } from "#provider/contract/verify.ts";
import { VerdictSeal } from "../../components/scan/verdict-icons.tsx";
import { type Tone, verdictIcons, verdictLooks, verdictSentence } from "../../components/scan/verdict-words.ts";
import { Said, useWords } from "./said.tsx";
import { type CheckedSignature, headlineOf, signedRemark } from "./signature-words.ts";
import guilloche from "../../guilloche.svg?raw";

/** Why a code could not be looked up: too many were, for some minutes; not at all; not just now. */
export type Unanswered = { why: "limited"; minutes: number } | { why: "notOffered" | "unanswered" };

/** The result of looking up a code; `typed` is the number on the paper, empty if none was given. */
export type Outcome =
  | ({ kind: "found"; document: Verification; typed: string; isAhead?: boolean } & Signed)
  | ({ kind: "not issued"; code: string } & Signed)
  | { kind: "mistyped"; code: string }
  | { kind: "near number"; code: string; typed: string }
  | ({ kind: "no answer"; code: string; reason: Unanswered } & Signed);

/** Of a signed code. */
type Signed = { signature?: CheckedSignature | undefined };

/** The verdict as a title, an icon and a colour. */
export function Verdict({ outcome }: { outcome: Outcome }) {
  const words = useWords();
  const { tone, title } = lookOf(outcome, words);
  return (
    <div className={`verdict verdict-${tone}`} data-verdict={verdictOf(outcome)}>
      {/* Inlined: it saves a request. */}
      <div className="guilloche" aria-hidden="true" dangerouslySetInnerHTML={{ __html: guilloche }} />
      <VerdictSeal icon={verdictIcons[tone]}>
        <circle cx="40" cy="40" r="31" stroke="currentColor" strokeWidth="1.5" strokeDasharray="1.5 3" />
      </VerdictSeal>
      <h1>
        <Said text={title} />
      </h1>
      <p>
        <Said text={sentenceOf(outcome, words)} />
      </p>
    </div>
  );
}

/** The verdict as a word of the contract, the same in each language. */
export function verdictOf(outcome: Outcome): string {
  const signature = "signature" in outcome ? outcome.signature?.verdict : undefined;
  const verdict = outcome.kind === "found" ? outcome.document.verdict : outcome.kind;
  return signature ? `${verdict}, ${signature}` : verdict;
}

/** The language of the issuer's texts, empty if it is unknown. */
export const issuerLanguageOf = (outcome: Outcome) => (outcome.kind === "found" ? outcome.document.language : "");

/** The tone and title of a verdict. */
export function lookOf(outcome: Outcome, words: Words): { tone: Tone; title: string } {
  const headline = signedHeadline(outcome, words);
  if (headline) return { tone: "bad", title: headline.title };
  if (isUnrecorded(outcome)) return { tone: "bad", title: words.t("signature.unrecorded.title") };
  const start = startOf(outcome);
  if (start) return { tone: "ended", title: words.t("verdict.inForceFrom.title", { date: words.date(start) }) };
  const { tone, title } = verdictLooks[outcome.kind === "found" ? outcome.document.verdict : outcome.kind];
  return { tone, title: words.t(title) };
}

/** The date from when a document is in force, if it is still to come and nothing outweighs it. */
const startOf = (outcome: Outcome) =>
  outcome.kind === "found" && outcome.isAhead && outcome.document.verdict === "in force"
    ? outcome.document.date
    : undefined;

/** The headline that the code's signature takes from the record. */
const signedHeadline = (outcome: Outcome, words: Words) =>
  outcome.kind === "found" ? headlineOf(outcome.signature, outcome.document, words) : undefined;

/** Whether a genuine signature is all that is known of a code. */
const isUnrecorded = (outcome: Outcome) => outcome.kind === "not issued" && outcome.signature?.verdict === "no record";

function sentenceOf(outcome: Outcome, words: Words): string {
  const { t, join } = words;
  const remark = "signature" in outcome && outcome.signature ? signedRemark(outcome.signature, words) : "";
  if (outcome.kind === "not issued") {
    return isUnrecorded(outcome)
      ? t("signature.unrecorded.sentence", { signer: outcome.signature!.company })
      : join(t("verdict.notIssued.sentence"), remark, t("verdict.doNotRely"));
  }
  if (outcome.kind === "no answer") return join(unanswered(outcome.reason, words), remark);
  if (outcome.kind === "mistyped") return t("verdict.mistyped.sentence");
  if (outcome.kind === "near number") return t("verdict.nearNumber.sentence");
  const headline = signedHeadline(outcome, words);
  if (headline) return headline.sentence;
  const { document, typed } = outcome;
  if (startOf(outcome)) return t("verdict.inForceFrom.sentence", { company: document.company });
  const { company, number, ended, copy, copies, copy_withdrawn } = document;
  const withdrawn = copy_withdrawn && { copy, copies, ...copy_withdrawn };
  const ofEnd = { since: ended?.since, withdrawn, reason: document.withdrawal_text, replacedBy: document.replaced_by };
  return verdictSentence(document.verdict, { company, number, typed, ...ofEnd }, words);
}

function unanswered(reason: Unanswered, { t }: Words): string {
  if (reason.why === "limited") return t("verdict.noAnswer.limited", { minutes: reason.minutes });
  return t(reason.why === "notOffered" ? "verdict.noAnswer.notOffered" : "verdict.noAnswer.unanswered");
}
