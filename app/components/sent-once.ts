import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";

/** Lets a button send its form once at a time: what was sent is carried out, though a second press takes its reply away. */
export function useSentOnce() {
  const { state, formMethod } = useNavigation();
  const isSending = state !== "idle" && formMethod === "POST";
  const last = useRef<Pick<SubmitEvent, "target" | "submitter">>(null);
  useEffect(() => {
    const send = (event: SubmitEvent) => {
      const { target, submitter } = event;
      if (isSending && last.current?.target === target && last.current.submitter === submitter) {
        event.preventDefault();
        event.stopPropagation();
      }
      last.current = { target, submitter };
    };
    document.addEventListener("submit", send, true);
    return () => document.removeEventListener("submit", send, true);
  }, [isSending]);
}
