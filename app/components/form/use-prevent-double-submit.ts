import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

type Sent = { form: EventTarget | null; as: string; at: number };

/** After so long the user may try again, as the reply may never come. */
const patienceMs = 20_000;

/**
 * Ignores a second press of a button while its form is being sent: the server would carry out both, and only the second
 * reply be shown.
 */
export function usePreventDoubleSubmit() {
  // While its reply is loading, a refusal is in sight already, and may have been answered by another press.
  const isSending = useNavigation().state === "submitting";
  const sent = useRef<Sent>(null);
  useEffect(() => {
    const ignoreRepeat = (event: SubmitEvent) => {
      const { target: form, submitter, timeStamp: at } = event;
      // Files that were chosen are sent without a button, and are others each time.
      if (event.defaultPrevented || !(submitter instanceof HTMLButtonElement)) return;
      // Enter presses another button than the one in sight, which says the same.
      const as = `${submitter.name}=${submitter.value}`;
      const { current } = sent;
      if (isSending && current?.form === form && current.as === as && at - current.at < patienceMs) {
        event.preventDefault();
        event.stopPropagation();
      } else sent.current = { form, as, at };
    };
    document.addEventListener("submit", ignoreRepeat, true);
    return () => document.removeEventListener("submit", ignoreRepeat, true);
  }, [isSending]);
}
