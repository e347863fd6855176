import { asTheirs } from "#lib/messages/isolates.ts";
import { Field } from "../../components/form/field.tsx";
import { Fact } from "./record.tsx";
import { useAddress, useChosen, useWords } from "./said.tsx";
import { addressToCorrect, typedTwice } from "./typed-address.ts";
import type { Outcome } from "./verdict.tsx";

const advice = {
  "not issued": "advice.notIssued",
  mistyped: "advice.mistyped",
  "near number": "advice.nearNumber",
  "no answer": "advice.noAnswer",
} as const;

type NoRecordProps = {
  outcome: Exclude<Outcome, { kind: "found" }>;
  /** This page's own address. */
  address: string;
};

/** Below the verdict on a code for which no document was found: what the visitor can do. */
export function NoRecord({ outcome, address }: NoRecordProps) {
  const { kind, code } = outcome;
  const { t } = useWords();
  const to = useAddress();
  const isUnanswered = kind === "no answer";
  return (
    <div className="part foot">
      {!isUnanswered && (
        <dl>
          <Fact name={t("fact.code")} value={asTheirs(code)} />
        </dl>
      )}
      <h2>{t("advice.title")}</h2>
      <p className="muted">{t(advice[kind])}</p>
      {kind === "near number" ? (
        <NumberAgain typed={outcome.typed} address={address} />
      ) : (
        <a className="btn" href={to(isUnanswered ? address : addressToCorrect(code, address))}>
          {t(isUnanswered ? "advice.again" : "advice.typeCode")}
        </a>
      )}
    </div>
  );
}

/** Asks once more for a number that may be mistyped, before the paper is said to be another. */
function NumberAgain({ typed, address }: { typed: string; address: string }) {
  const { t } = useWords();
  const language = useChosen();
  return (
    <form method="get" action={address.split("?")[0]} className="tell">
      {language && <input type="hidden" name="lang" value={language} />}
      <input type="hidden" name={typedTwice} value="1" />
      <Field
        field={{ id: "number", name: "number", initialValue: typed }}
        label={t("enter.number")}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
      <button type="submit" className="btn btn-primary">
        {t("enter.check")}
      </button>
    </form>
  );
}
