import { asTheirs } from "#messages/marks.ts";
import { Fact } from "./record.tsx";
import { useAddress, useWords } from "./said.tsx";
import { addressToCorrect } from "./typed-address.ts";
import type { Outcome } from "./verdict.tsx";

const advice = {
  "not issued": "advice.notIssued",
  mistyped: "advice.mistyped",
  "no answer": "advice.noAnswer",
} as const;

type NoRecordProps = {
  outcome: Exclude<Outcome, { kind: "found" }>;
  /** This page's own address. */
  address: string;
};

/** Below the verdict on a code for which no document was found: what the visitor can do. */
export function NoRecord({ outcome: { kind, code }, address }: NoRecordProps) {
  const { say } = useWords();
  const to = useAddress();
  const isUnanswered = kind === "no answer";
  return (
    <div className="part foot">
      {!isUnanswered && (
        <dl>
          <Fact name={say("fact.code")} value={asTheirs(code)} />
        </dl>
      )}
      <h2>{say("advice.title")}</h2>
      <p className="muted">{say(advice[kind])}</p>
      <a className="btn" href={to(isUnanswered ? address : addressToCorrect(code, address))}>
        {say(isUnanswered ? "advice.again" : "advice.typeCode")}
      </a>
    </div>
  );
}
