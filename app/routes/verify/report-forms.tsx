import type { SubmissionResult } from "@conform-to/react";
import type { SummaryError } from "../../components/form/error-summary.tsx";
import { Field } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Said, useWords } from "./said.tsx";

/** Reports on a scan, one of each kind. */
export type Report = "location" | "complaint";

export type Reports = {
  /** Names the scan; empty if none was recorded. */
  scan: string;
  done: Report[];
  /** What was reported just now, and what was refused. */
  sent?: Report;
  refused?: Report;
  /** What was typed and not sent yet, by field. */
  typed: Record<string, string>;
  /** Whether something was typed for a report. */
  isTyped(report: Report): boolean;
  /** The state of a report's form. */
  stateOf(report: Report): ReturnType<typeof formState>;
};

/** The report that each field is typed for. */
const reportOf = new Map<string, Report>([
  ["text", "complaint"],
  ["contact", "complaint"],
  ["place", "location"],
]);
/** Fields that visitors type into. */
export const typedFields = [...reportOf.keys()];

/** The reports of a scan, by the reply to the last one, or with what was typed in another language. */
export function readReports(newScan: string, reply: SubmissionResult | undefined): Reports {
  const { values, summary } = formState({ scan: newScan, reported: "", intent: "" }, reply);
  const last: Report = values.intent === "location" ? "location" : "complaint";
  const before = values
    .reported!.split(" ")
    .filter((word): word is Report => word === "location" || word === "complaint");
  const isTranslated = values.intent === "language";
  const isRefused = summary.length > 0;
  const done = reply && !isTranslated && !isRefused ? [...before, last] : before;
  const isUnsent = (name: string) => reportOf.has(name) && !done.includes(reportOf.get(name)!);
  const typed = Object.fromEntries(Object.entries(values).filter(([name, text]) => isUnsent(name) && text !== ""));
  const stateOf = (report: Report) => formState(typed, report === last ? reply : undefined);
  const isTyped = (report: Report) => Object.keys(typed).some((name) => reportOf.get(name) === report);
  const known = { scan: values.scan!, stateOf, typed, isTyped, done };
  if (!reply || isTranslated) return known;
  return isRefused ? { ...known, refused: last } : { ...known, sent: last };
}

/** `company` is empty if the document could not be found just now. */
type ReportProps = Reports & { company: string };

/** The page after a report opens at its answer, which on a phone is far below the verdict. */
const answerId = "answer";
const toAnswer = `#${answerId}`;

export function ReportLocation({ scan, company, done, sent, refused, typed, stateOf }: ReportProps) {
  const { t } = useWords();
  if (done.includes("location")) {
    return <Done thanks="place.thanks" company={company} isNew={sent === "location"} />;
  }
  const { field, summary } = answeredAt(stateOf("location"), refused === "location" ? ["place"] : []);
  return (
    <form method="post" action={toAnswer} className="tell">
      <h2>
        <Said text={company ? t("place.title", { company }) : t("place.titleUnnamed")} />
      </h2>
      <p className="muted">{t("place.why")}</p>
      <HiddenFields scan={scan} done={done} typed={typed} intent="location" />
      <FormErrors errors={summary} fields={["place"]} />
      <Field
        field={field("place")}
        label={t("place.label")}
        errorMark={t("frame.errorMark")}
        autoComplete="postal-code"
        dir="auto"
      />
      {["latitude", "longitude", "accuracy"].map((name) => (
        <input key={name} type="hidden" name={name} disabled />
      ))}
      <p className="acts">
        <button type="submit" className="btn">
          {t("place.share")}
        </button>
        {/* Shown by the script. */}
        <button type="button" className="btn" id="locate" hidden>
          {t("place.position")}
        </button>
      </p>
      <p className="error" id="no-position" role="alert" hidden>
        {t("place.noPosition")}
      </p>
    </form>
  );
}

export function ReportProblem({ scan, company, done, sent, refused, typed, isTyped, stateOf }: ReportProps) {
  const { t } = useWords();
  if (done.includes("complaint")) {
    return <Done thanks="report.thanks" company={company} isNew={sent === "complaint"} />;
  }
  const isRefused = refused === "complaint";
  const { field, summary } = answeredAt(stateOf("complaint"), isRefused ? ["text", "contact"] : []);
  return (
    <details open={isRefused || isTyped("complaint")}>
      <summary className="btn">{t("report.open")}</summary>
      <form method="post" action={toAnswer} className="tell">
        <HiddenFields scan={scan} done={done} typed={typed} intent="complaint" />
        <FormErrors errors={summary} fields={["text", "contact"]} />
        <Field
          field={field("text")}
          label={t("report.text")}
          hint={t("report.textHint")}
          errorMark={t("frame.errorMark")}
          rows={4}
          dir="auto"
        />
        <Field
          field={field("contact")}
          label={t("report.contact")}
          hint={t("report.contactHint")}
          errorMark={t("frame.errorMark")}
          autoComplete="email"
          dir="auto"
        />
        <button type="submit" className="btn btn-primary">
          {t("report.send")}
        </button>
      </form>
    </details>
  );
}

/** The first of the fields that was refused is where the page opens: the browser gives it the focus. */
function answeredAt({ field, summary }: ReturnType<typeof formState>, names: string[]) {
  const first = names.find((name) => field(name).errors);
  return { summary, field: (name: string) => ({ ...field(name), ...(name === first && { id: answerId }) }) };
}

type HiddenProps = Pick<Reports, "scan" | "done" | "typed"> & { intent: Report };

/** With what was typed for the other report, as it was when the page was sent last. */
const HiddenFields = ({ scan, done, typed, intent }: HiddenProps) => (
  <>
    {Object.entries(typed).map(
      ([name, text]) => reportOf.get(name) !== intent && <input key={name} type="hidden" name={name} value={text} />,
    )}
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
      <p key={message} className="error" id={answerId} tabIndex={-1} role="alert">
        {message}
      </p>
    ));

type DoneProps = { thanks: "place.thanks" | "report.thanks"; company: string; isNew: boolean };

function Done({ thanks, company, isNew }: DoneProps) {
  const { t } = useWords();
  return (
    <p className="done" role="status" id={isNew ? answerId : undefined}>
      <Said text={company ? t(thanks, { company }) : t("report.arrived")} />
    </p>
  );
}
