import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Restores the focus after a form was sent. The reply often replaces the pressed control, and the browser would start
 * again at the top of the page: then the same control of the new page is focused, or the one that it names by
 * `data-focus-next`. A new page is focused as a whole.
 */
export function useFocusRestore() {
  const { state } = useNavigation();
  const { key, pathname } = useLocation();
  const pressed = useRef<string[]>([]);
  const settled = useRef({ key, pathname });

  useEffect(() => {
    const remember = ({ submitter }: SubmitEvent) => {
      const focused = document.activeElement;
      pressed.current = [focused, submitter].flatMap((control) =>
        control instanceof HTMLElement ? selectorsOf(control) : [],
      );
    };
    const forget = () => (pressed.current = []);
    document.addEventListener("submit", remember, true);
    document.addEventListener("click", forget, true);
    return () => {
      document.removeEventListener("submit", remember, true);
      document.removeEventListener("click", forget, true);
    };
  }, []);

  useEffect(() => {
    if (state !== "idle" || settled.current.key === key) return;
    const isNewPage = settled.current.pathname !== pathname;
    settled.current = { key, pathname };
    // A disabled control keeps the focus until the browser paints next.
    if (document.activeElement?.matches(":not(body, :disabled)")) return;
    const controls = isNewPage
      ? []
      : pressed.current.flatMap((all) => [...document.querySelectorAll<HTMLElement>(all)]);
    const control = controls.find((element) => !element.matches(":disabled, [aria-hidden]"));
    (control ?? document.getElementById("main"))?.focus({ preventScroll: !control });
  }, [state, key, pathname]);
}

/** Selectors of a control and of the one to focus if it is gone. */
function selectorsOf(control: HTMLElement): string[] {
  const { focusNext } = control.dataset;
  const next = focusNext ? [`#${CSS.escape(focusNext)}`] : [];
  if (control.id) return [`#${CSS.escape(control.id)}`, ...next];
  const [name, value] = [control.getAttribute("name"), control.getAttribute("value")];
  return name && value ? [`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`, ...next] : next;
}
