import type { SubmissionResult } from "@conform-to/react";
import type { SummaryError } from "../../components/error-summary.tsx";
import { Field } from "../../components/field.tsx";
import { formState } from "../../components/form-state.ts";

/** Reports on a scan, one of each kind. */
type Report = "location" | "complaint";

type Reports = {
  /** Names the scan; empty where none was recorded. */
  scan: string;
  done: Report[];
  /** What was reported just now, and what was refused. */
  sent?: Report;
  refused?: Report;
  /** The state of a report's form. */
  stateOf(report: Report): ReturnType<typeof formState>;
};

/** The reports of a scan, by the reply to the last one. */
export function readReports(newScan: string, reply: SubmissionResult | undefined): Reports {
  const { values, summary } = formState({ scan: newScan, reported: "", intent: "" }, reply);
  const last: Report = values.intent === "location" ? "location" : "complaint";
  const before = values
    .reported!.split(" ")
    .filter((word): word is Report => word === "location" || word === "complaint");
  const stateOf = (report: Report) => formState({}, report === last ? reply : undefined);
  const known = { scan: values.scan!, stateOf };
  if (!reply) return { ...known, done: [] };
  return summary.length > 0
    ? { ...known, done: before, refused: last }
    : { ...known, done: [...before, last], sent: last };
}

type ReportProps = Reports & { company: string };

/** The page after a report opens at its answer, which on a phone is far below the verdict. */
const answerId = "answer";
const toAnswer = `#${answerId}`;

export function ReportLocation({ scan, company, done, sent, refused, stateOf }: ReportProps) {
  if (done.includes("location")) {
    return <Done text={`Thank you. ${company} sees where this scan was made.`} isNew={sent === "location"} />;
  }
  const { field, summary } = stateOf("location");
  return (
    <form method="post" action={toAnswer} className="tell" id={refused === "location" ? answerId : undefined}>
      <h2>Share my location with {company}</h2>
      <p className="muted">
        It helps to find copies. Only the place of this scan is shared, and it is erased after 90 days.
      </p>
      <HiddenFields scan={scan} done={done} intent="location" />
      <FormErrors errors={summary} fields={["place"]} />
      <Field field={field("place")} label="Town or post code" autoComplete="postal-code" />
      {["latitude", "longitude", "accuracy"].map((name) => (
        <input key={name} type="hidden" name={name} disabled />
      ))}
      <p className="acts">
        <button type="submit" className="btn">
          Share this place
        </button>
        {/* Shown by the script. */}
        <button type="button" className="btn" id="locate" hidden>
          Use my position
        </button>
      </p>
      <p className="error" id="no-position" role="alert" hidden>
        Your browser did not share the position: allow it in the browser’s settings, or type a town or a post code.
      </p>
    </form>
  );
}

export function ReportProblem({ scan, company, done, sent, refused, stateOf }: ReportProps) {
  if (done.includes("complaint")) {
    return <Done text={`Thank you. ${company} has been notified.`} isNew={sent === "complaint"} />;
  }
  const isRefused = refused === "complaint";
  const { field, summary } = stateOf("complaint");
  return (
    <details id={isRefused ? answerId : undefined} open={isRefused}>
      <summary className="btn">Report a problem</summary>
      <form method="post" action={toAnswer} className="tell">
        <HiddenFields scan={scan} done={done} intent="complaint" />
        <FormErrors errors={summary} fields={["text", "contact"]} />
        <Field
          field={field("text")}
          label="What is wrong"
          hint="What the paper says, and where you were given it"
          rows={4}
        />
        <Field field={field("contact")} label="Phone or email" hint="Only if you want an answer" autoComplete="email" />
        <button type="submit" className="btn btn-primary">
          Send report
        </button>
      </form>
    </details>
  );
}

const HiddenFields = ({ scan, done, intent }: { scan: string; done: Report[]; intent: Report }) => (
  <>
    <input type="hidden" name="scan" value={scan} />
    <input type="hidden" name="reported" value={done.join(" ")} />
    <input type="hidden" name="intent" value={intent} />
  </>
);

/** Errors of other fields than these, or of none. */
const FormErrors = ({ errors, fields }: { errors: SummaryError[]; fields: string[] }) =>
  errors
    .filter(({ fieldId }) => !fieldId || !fields.includes(fieldId))
    .map(({ message }) => (
      <p key={message} className="error" role="alert">
        {message}
      </p>
    ));

const Done = ({ text, isNew }: { text: string; isNew: boolean }) => (
  <p className="done" role="status" id={isNew ? answerId : undefined}>
    {text}
  </p>
);
