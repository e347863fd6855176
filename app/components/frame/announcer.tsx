import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Says to screen readers what came of a navigation: a new page by its title, another state of the same page by its
 * `data-result`, a pressed button by its `data-done`.
 */
export function Announcer() {
  const { key, pathname } = useLocation();
  const { state } = useNavigation();
  const [text, setText] = useState("");
  const announced = useRef({ key, pathname });
  const done = useRef("");
  useEffect(() => {
    const note = ({ submitter }: SubmitEvent) => (done.current = submitter?.dataset.done ?? "");
    document.addEventListener("submit", note, true);
    return () => document.removeEventListener("submit", note, true);
  }, []);
  useEffect(() => {
    if (state !== "idle" || announced.current.key === key) return;
    const isNewPage = announced.current.pathname !== pathname;
    announced.current = { key, pathname };
    const result = done.current || document.querySelector<HTMLElement>("main [data-result]")?.dataset.result;
    done.current = "";
    // The same words again are said again: a region speaks of changes alone.
    setText((last) => {
      const next = isNewPage ? document.title : (result ?? "");
      return next === last ? `${next}\u00A0` : next;
    });
  }, [state, key, pathname]);
  return (
    <p className="sr-only" role="status">
      {text}
    </p>
  );
}
