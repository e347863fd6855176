import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

type Submission = { form: EventTarget | null; button: string; at: number };

/** After this time the user may try again: the reply may never come. */
const patienceMs = 20_000;

/**
 * Ignores a second press of a button while its form is being sent: the server would carry out both, and only the second
 * reply be shown.
 */
export function usePreventDoubleSubmit() {
  // While a reply's data is loading, its refusal is shown already, and the user may have pressed again.
  const isSending = useNavigation().state === "submitting";
  const last = useRef<Submission>(null);
  useEffect(() => {
    const ignoreRepeat = (event: SubmitEvent) => {
      const { target: form, submitter, timeStamp: at } = event;
      // A file is submitted as soon as it is chosen, without a button, and differs each time.
      if (event.defaultPrevented || !(submitter instanceof HTMLButtonElement)) return;
      // Enter presses the form's first button, which may be a hidden one with the same name and value.
      const button = `${submitter.name}=${submitter.value}`;
      const { current } = last;
      if (isSending && current?.form === form && current.button === button && at - current.at < patienceMs) {
        event.preventDefault();
        event.stopPropagation();
      } else last.current = { form, button, at };
    };
    document.addEventListener("submit", ignoreRepeat, true);
    return () => document.removeEventListener("submit", ignoreRepeat, true);
  }, [isSending]);
}
