import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Restores focus after navigation: to the control that sent the form, or to the element whose id it names with
 * `data-focus-next` where it is gone. A new page is focused as a whole.
 */
export function useFocusRestore() {
  const { state } = useNavigation();
  const { key, pathname } = useLocation();
  const candidates = useRef<string[]>([]);
  const settled = useRef({ key, pathname });

  useEffect(() => {
    const remember = ({ submitter }: SubmitEvent) => {
      const focused = document.activeElement;
      candidates.current = [focused, submitter].flatMap((control) =>
        control instanceof HTMLElement ? selectorsOf(control) : [],
      );
    };
    const forget = () => (candidates.current = []);
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
    // A control that was disabled keeps focus until the browser paints.
    if (document.activeElement?.matches(":not(body, :disabled)")) return;
    const selectors = isNewPage ? [] : candidates.current;
    const elements = selectors.flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)]);
    const next = elements.find((element) => !element.matches(":disabled, [aria-hidden]"));
    (next ?? document.getElementById("main"))?.focus({ preventScroll: !next });
  }, [state, key, pathname]);
}

/** Selectors of a control and of its `data-focus-next`. */
function selectorsOf(control: HTMLElement): string[] {
  const { focusNext } = control.dataset;
  const next = focusNext ? [`#${CSS.escape(focusNext)}`] : [];
  if (control.id) return [`#${CSS.escape(control.id)}`, ...next];
  const [name, value] = [control.getAttribute("name"), control.getAttribute("value")];
  return name && value ? [`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`, ...next] : next;
}
