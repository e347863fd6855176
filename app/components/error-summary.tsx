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

/**
 * Errors by field name for the summary: the first of each field, but every one of the field `whole`. Those without a
 * field (`""`) have no link.
 */
export const summaryOfErrors = (
  errors: Record<string, string[]>,
  { idOf = (name: string) => name, whole }: { idOf?: (name: string) => string; whole?: string } = {},
): SummaryError[] =>
  Object.entries(errors).flatMap(([name, messages]) =>
    messages
      .slice(0, name === whole ? undefined : 1)
      .map((message) => (name ? { message, fieldId: idOf(name) } : { message })),
  );

/** A conform form's errors for the summary: the first of each field, and those of the form itself. */
export const summaryOf = (form: FormMetadata<any>) =>
  summaryOfErrors(form.allErrors, { idOf: (name) => `${form.id}-${name}`, whole: "" });
