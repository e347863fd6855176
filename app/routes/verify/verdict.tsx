import type { Verification } from "#provider/contract/verify.ts";
import { showDate } from "../../components/format.ts";
import guilloche from "../../guilloche.svg?raw";

/** The result of looking up a code. */
export type Outcome =
  | { kind: "found"; document: Verification }
  | { kind: "not issued"; code: string }
  | { kind: "mistyped"; code: string }
  | { kind: "no answer"; code: string; message: string };

type Words = { className: string; icon: string; title: string; sentence: string };

/** The verdict as a title, an icon and a colour. */
export function Verdict({ outcome }: { outcome: Outcome }) {
  const { className, icon, title, sentence } = wordsFor(outcome);
  return (
    <div className={`verdict ${className}`}>
      {/* Inlined: it saves a request. */}
      <div className="guilloche" aria-hidden="true" dangerouslySetInnerHTML={{ __html: guilloche }} />
      <svg className="seal" viewBox="0 0 80 80" fill="none" aria-hidden="true">
        <circle cx="40" cy="40" r="37" fill="#fff" />
        <circle cx="40" cy="40" r="31" stroke="currentColor" strokeWidth="1.5" strokeDasharray="1.5 3" />
        <path d={icon} stroke="currentColor" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <h1>{title}</h1>
      <p>{sentence}</p>
    </div>
  );
}

const icons = {
  tick: "M27 41l9 9 17-19",
  clock: "M40 26v15l10 7",
  cross: "M29 29l22 22M51 29l-22 22",
  question: "M31 33a9 9 0 1 1 13 8c-3 2-4 3-4 6M40 55v.1",
};

/** The title, sentence and look of a verdict. */
export function wordsFor(outcome: Outcome): Words {
  if (outcome.kind === "found") return found(outcome.document);
  if (outcome.kind === "not issued") {
    const sentence = "No document in the register has this code. Do not rely on the paper.";
    return { className: "is-bad", icon: icons.cross, title: "Not issued by us", sentence };
  }
  if (outcome.kind === "mistyped") {
    const sentence = "It is not complete, or a character is wrong. Compare it with the paper and type it again.";
    return { className: "is-idle", icon: icons.question, title: "This code is mistyped", sentence };
  }
  return { className: "is-idle", icon: icons.question, title: "Cannot check now", sentence: outcome.message };
}

function found({ company, ended }: Verification): Words {
  if (!ended) {
    const sentence = `${company} issued it and stands by it today.`;
    return { className: "is-ok", icon: icons.tick, title: "This document is in force", sentence };
  }
  const verbs = { exited: "withdrew it on", archived: "put it away on", expired: "it ended on" };
  const [after, since] = [verbs[ended.reason], showDate(ended.since)];
  const sentence = `${company} issued this document, but ${after} ${since}.`;
  return { className: "is-ended", icon: icons.clock, title: "No longer in force", sentence };
}
