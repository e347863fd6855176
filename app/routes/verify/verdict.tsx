import { DatesWhole } from "../../components/dates-whole.tsx";
import type { Verification } from "#provider/contract/verify.ts";
import { VerdictSeal } from "../../components/verdict-icons.tsx";
import { type Tone, verdictIcons, verdictLooks, verdictSentence } from "../../components/verdict-words.ts";
import { type CheckedSignature, headlineOf, signedRemark } from "./signature-words.ts";
import guilloche from "../../guilloche.svg?raw";

/** The result of looking up a code; `typed` is the number on the paper, empty if none was given. */
export type Outcome =
  | ({ kind: "found"; document: Verification; typed: string } & Signed)
  | ({ kind: "not issued"; code: string } & Signed)
  | { kind: "mistyped"; code: string }
  | ({ kind: "no answer"; code: string; message: string } & Signed);

/** Of a signed code. */
type Signed = { signature?: CheckedSignature | undefined };

/** The verdict as a title, an icon and a colour. */
export function Verdict({ outcome }: { outcome: Outcome }) {
  const { tone, title } = lookOf(outcome);
  return (
    <div className={`verdict verdict-${tone}`}>
      {/* Inlined: it saves a request. */}
      <div className="guilloche" aria-hidden="true" dangerouslySetInnerHTML={{ __html: guilloche }} />
      <VerdictSeal icon={verdictIcons[tone]}>
        <circle cx="40" cy="40" r="31" stroke="currentColor" strokeWidth="1.5" strokeDasharray="1.5 3" />
      </VerdictSeal>
      <h1>{title}</h1>
      <p>
        <DatesWhole text={sentenceOf(outcome)} />
      </p>
    </div>
  );
}

/** The tone and title of a verdict. */
export function lookOf(outcome: Outcome): { tone: Tone; title: string } {
  const headline = signedHeadline(outcome);
  if (headline) return { tone: "bad", title: headline.title };
  if (isUnrecorded(outcome)) return { tone: "bad", title: "Signed by us, but not in the register" };
  return verdictLooks[outcome.kind === "found" ? outcome.document.verdict : outcome.kind];
}

/** The headline that the code's signature takes from the record. */
const signedHeadline = (outcome: Outcome) =>
  outcome.kind === "found" ? headlineOf(outcome.signature, outcome.document.company) : undefined;

/** Whether a genuine signature is all that is known of a code. */
const isUnrecorded = (outcome: Outcome) => outcome.kind === "not issued" && outcome.signature?.verdict === "no record";

function sentenceOf(outcome: Outcome): string {
  const remark = outcome.kind !== "mistyped" && outcome.signature ? ` ${signedRemark(outcome.signature)}` : "";
  if (outcome.kind === "not issued") {
    return isUnrecorded(outcome)
      ? `${outcome.signature!.company} signed this code, but the register has no document with it. Do not rely on the paper yet.`
      : `No document in the register has this code.${remark} Do not rely on the paper.`;
  }
  if (outcome.kind === "no answer") return `${outcome.message}${remark}`;
  if (outcome.kind === "mistyped") {
    return "It is not complete, or a character is wrong. Compare it with the paper and type it again.";
  }
  const headline = signedHeadline(outcome);
  if (headline) return headline.sentence;
  const { document, typed } = outcome;
  const { company, number, ended, copy, copies, copy_withdrawn } = document;
  const withdrawn = copy_withdrawn && { copy, copies, ...copy_withdrawn };
  const ofEnd = { since: ended?.since, withdrawn, reason: document.withdrawal_text, replacedBy: document.replaced_by };
  return verdictSentence(document.verdict, { company, number, typed, ...ofEnd });
}
