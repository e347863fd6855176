import { Field } from "../../components/field.tsx";
import type { Refusal } from "../../server/forms/records.ts";

/** What the stranger may tell of a scan, once each: where it was, and what is wrong. */
type TellProps = {
  /** Names the scan; empty where none was recorded. */
  scan: string;
  company: string;
  /** What has been told already. */
  told: string[];
  refusal: (Refusal & { intent: string }) | undefined;
};

/** Where the page that answers begins: on a phone that is far below the verdict. */
const answerId = "answer";
const toAnswer = `#${answerId}`;

export function TellLocation({ scan, company, told, refusal }: TellProps) {
  const errors = refusal?.intent === "location" ? refusal.errors : {};
  if (told.includes("location")) {
    const text = `Thank you. ${company} sees where this scan was made.`;
    return <Done text={text} isNew={told.at(-1) === "location" && !refusal} />;
  }
  return (
    <form method="post" action={toAnswer} className="tell" id={refusal?.intent === "location" ? answerId : undefined}>
      <h2>Share my location with {company}</h2>
      <p className="muted">
        It helps to find copies. Only the place of this scan is shared, and it is erased after 90 days.
      </p>
      <Kept scan={scan} told={told} intent="location" />
      <FormError messages={errors[""]} />
      <Field
        field={{ id: "place", name: "place", errors: errors.place, initialValue: refusal?.values.place }}
        label="Town or post code"
        autoComplete="postal-code"
      />
      {["latitude", "longitude", "accuracy"].map((name) => (
        <input key={name} type="hidden" name={name} disabled />
      ))}
      <p className="acts">
        <button type="submit" className="btn">
          Share this place
        </button>
        {/* Shown by the script, which asks the browser only when it is pressed. */}
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

export function TellProblem({ scan, company, told, refusal }: TellProps) {
  const isRefused = refusal?.intent === "complaint";
  const errors = isRefused ? refusal.errors : {};
  if (told.includes("complaint")) {
    return <Done text={`Thank you. ${company} has been told.`} isNew={told.at(-1) === "complaint" && !refusal} />;
  }
  return (
    <details id={isRefused ? answerId : undefined} open={isRefused}>
      <summary className="btn">Report a problem</summary>
      <form method="post" action={toAnswer} className="tell">
        <Kept scan={scan} told={told} intent="complaint" />
        <FormError messages={errors[""]} />
        <Field
          field={{ id: "text", name: "text", errors: errors.text, initialValue: refusal?.values.text }}
          label="What is wrong"
          hint="What the paper says, and where you were given it"
          rows={4}
        />
        <Field
          field={{ id: "contact", name: "contact", errors: errors.contact, initialValue: refusal?.values.contact }}
          label="Phone or email"
          hint="Only if you want an answer"
          autoComplete="email"
        />
        <button type="submit" className="btn btn-primary">
          Send report
        </button>
      </form>
    </details>
  );
}

const Kept = ({ scan, told, intent }: { scan: string; told: string[]; intent: string }) => (
  <>
    <input type="hidden" name="scan" value={scan} />
    <input type="hidden" name="told" value={told.join(" ")} />
    <input type="hidden" name="intent" value={intent} />
  </>
);

const FormError = ({ messages = [] }: { messages?: string[] | undefined }) =>
  messages.map((message) => (
    <p key={message} className="error" role="alert">
      {message}
    </p>
  ));

const Done = ({ text, isNew }: { text: string; isNew: boolean }) => (
  <p className="done" role="status" id={isNew ? answerId : undefined}>
    {text}
  </p>
);
