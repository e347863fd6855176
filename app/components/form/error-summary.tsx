import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useActionData, useLocation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { t } from "#lib/messages/staff.ts";

export type SummaryError = { message: string; fieldId?: string };

/** Every error of a form with a link to its field, above the page's heading. Takes focus when it appears. */
export function ErrorSummary({ errors }: { errors: SummaryError[] }) {
  const summary = useRef<HTMLDivElement>(null);
  const messages = errors.map((error) => error.message).join();
  const isHydrated = useHydrated();
  // Differs after each refusal, even one with the same messages. The location changes later than the reply.
  const { key } = useLocation();
  const reply = useActionData<object>() ?? key;
  // The browser has focused a summary that was in the HTML; since then the user may type elsewhere.
  const focused = useRef(isHydrated ? undefined : { reply, messages });
  useEffect(() => {
    if (focused.current?.reply === reply && focused.current.messages === messages) return;
    focused.current = { reply, messages };
    const dialog = document.querySelector("dialog[open]");
    if (!dialog || dialog.contains(summary.current)) summary.current?.focus();
  }, [reply, messages]);
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
      {/* No heading: it stands before the page’s own. */}
      <p className="error-summary-title" id="error-summary">
        <CircleAlert className="ico" />
        {t("components.errorSummary.thereIsAProblem")}
      </p>
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

/** Names whose errors have no control to lead to: the form itself, and the version that it builds on. */
const withoutControl = ["", "version"];

/** A reply's errors for the summary; `idOf` gives the id of a field's control. */
export const summaryOf = (
  errors: Record<string, string[] | null>,
  idOf: (name: string) => string = (name) => name,
): SummaryError[] =>
  Object.entries(errors).flatMap(([name, messages]) =>
    (messages ?? []).map((message) => (withoutControl.includes(name) ? { message } : { message, fieldId: idOf(name) })),
  );
