import type { FormMetadata } from "@conform-to/react";
import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";

export type SummaryError = { message: string; fieldId?: string };

/** Every error of a form with a way to its field, above the page's heading. Takes focus when it appears. */
export function ErrorSummary({ errors }: { errors: SummaryError[] }) {
  const summary = useRef<HTMLDivElement>(null);
  const key = errors.map((error) => error.message).join();
  useEffect(() => {
    if (key) summary.current?.focus();
  }, [key]);
  if (errors.length === 0) return null;
  return (
    <div
      className="error-summary mb-6"
      role="alert"
      tabIndex={-1}
      aria-labelledby="error-summary"
      ref={summary}
      // Moves the focus without scripts as well; React leaves the attribute to the server.
      autoFocus
    >
      <h2 id="error-summary">
        <CircleAlert className="ico" />
        There is a problem
      </h2>
      <ul>
        {errors.map(({ message, fieldId }) => (
          <li key={`${fieldId} ${message}`}>
            {fieldId ? (
              <a href={`#${fieldId}`}>{message}</a>
            ) : (
              <span className="font-semibold text-bad">{message}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A conform form's errors for the summary: the first of each field, and those of the form itself. */
export function summaryOf(form: FormMetadata<any>, idOf = (name: string) => `${form.id}-${name}`): SummaryError[] {
  return Object.entries(form.allErrors).flatMap(([name, messages]) =>
    messages
      .slice(0, name === "" ? undefined : 1)
      .map((message) => (name ? { message, fieldId: idOf(name) } : { message })),
  );
}
