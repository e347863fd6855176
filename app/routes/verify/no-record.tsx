import { Fact } from "./record.tsx";
import type { Outcome } from "./verdict.tsx";

const advice = {
  "not issued":
    "Compare the code with the paper. If it is the same, tell the company that the paper names, by a phone number that you find elsewhere.",
  mistyped: "Type the code that is printed beside the QR code.",
  "no answer": "Check it again a little later. Until then nothing is known about the document.",
};

type NoRecordProps = {
  outcome: Exclude<Outcome, { kind: "found" }>;
  /** This page's own address. */
  address: string;
};

/** Below the verdict on a code for which no document was found: what the visitor can do. */
export function NoRecord({ outcome: { kind, code }, address }: NoRecordProps) {
  const isUnanswered = kind === "no answer";
  return (
    <div className="part foot">
      {!isUnanswered && (
        <dl>
          <Fact name="Code" value={code} />
        </dl>
      )}
      <h2>What you can do</h2>
      <p className="muted">{advice[kind]}</p>
      <a className="btn" href={isUnanswered ? address : "/v"}>
        {isUnanswered ? "Check again" : "Type a code"}
      </a>
    </div>
  );
}
