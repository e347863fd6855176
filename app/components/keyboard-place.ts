import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Keeps the keyboard's place. An answer often replaces the control that was pressed, and the browser would begin again
 * at the page's top: then the same control of the new page is focused, or what it names with `data-then`. A new page is
 * focused as a whole.
 */
export function useKeyboardPlace() {
  const { state } = useNavigation();
  const { key, pathname } = useLocation();
  const pressed = useRef<string[]>([]);
  const settled = useRef({ key, pathname });

  useEffect(() => {
    const note = ({ submitter }: SubmitEvent) => {
      const focused = document.activeElement;
      pressed.current = [focused, submitter].flatMap((control) =>
        control instanceof HTMLElement ? placesOf(control) : [],
      );
    };
    const forget = () => (pressed.current = []);
    document.addEventListener("submit", note, true);
    document.addEventListener("click", forget, true);
    return () => {
      document.removeEventListener("submit", note, true);
      document.removeEventListener("click", forget, true);
    };
  }, []);

  useEffect(() => {
    if (state !== "idle" || settled.current.key === key) return;
    const isNewPage = settled.current.pathname !== pathname;
    settled.current = { key, pathname };
    // The browser lets go of a disabled control only when it paints next.
    if (document.activeElement?.matches(":not(body, :disabled)")) return;
    const places = isNewPage ? [] : pressed.current.flatMap((all) => [...document.querySelectorAll<HTMLElement>(all)]);
    const place = places.find((element) => !element.matches(":disabled, [aria-hidden]"));
    (place ?? document.getElementById("main"))?.focus({ preventScroll: !place });
  }, [state, key, pathname]);
}

/** Selectors of a control and of what is to be focused where it is gone. */
function placesOf(control: HTMLElement): string[] {
  const then = control.dataset.then ? [`#${CSS.escape(control.dataset.then)}`] : [];
  if (control.id) return [`#${CSS.escape(control.id)}`, ...then];
  const [name, value] = [control.getAttribute("name"), control.getAttribute("value")];
  return name && value ? [`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`, ...then] : then;
}
