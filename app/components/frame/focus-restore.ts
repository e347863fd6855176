import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";

/**
 * Restores focus after a form's answer has replaced the pressed control: to the same control of the new page, or to the one
 * that it names with `data-focus-next`. A new page is focused as a whole, and begins at its top. `first` is what the user did before this ran.
 */
export function useFocusRestore(first: Event) {
  const { state } = useNavigation();
  const { key, pathname } = useLocation();
  const pressed = useRef<string[]>([]);
  const isPending = useRef(false);
  const settled = useRef({ key, pathname });

  useEffect(() => {
    const selectors = (...controls: unknown[]) =>
      controls.flatMap((control) => (control instanceof HTMLElement ? selectorsOf(control) : []));
    const note = ({ submitter }: SubmitEvent) => (pressed.current = selectors(document.activeElement, submitter));
    const forget = () => isPending.current || (pressed.current = []);
    // Where the user types on while a reply is awaited.
    const move = ({ target }: Event) => isPending.current && (pressed.current = selectors(target));
    pressed.current = selectors(
      first.target instanceof Element && first.target.closest("button"),
      document.activeElement,
    );
    document.addEventListener("submit", note, true);
    document.addEventListener("click", forget, true);
    document.addEventListener("focusin", move);
    return () => {
      document.removeEventListener("submit", note, true);
      document.removeEventListener("click", forget, true);
      document.removeEventListener("focusin", move);
    };
  }, [first]);

  useEffect(() => {
    isPending.current = state !== "idle";
    if (isPending.current || settled.current.key === key) return;
    const isNewPage = settled.current.pathname !== pathname;
    settled.current = { key, pathname };
    // Forms whose buttons may also stay on their page keep the scroll position.
    if (isNewPage && pressed.current.length > 0) scrollTo(0, 0);
    if (isNewPage) pressed.current = [];
    // The browser blurs a disabled control only at its next paint.
    if (document.activeElement?.matches(":not(body, :disabled)")) return;
    const control = firstUsable(pressed.current);
    (control ?? document.getElementById("main"))?.focus({ preventScroll: !control });
  }, [state, key, pathname]);
}

/** The first control that some selectors name and that can have the focus. */
export function firstUsable(selectors: string[]): HTMLElement | undefined {
  const controls = selectors.flatMap((all) => [...document.querySelectorAll<HTMLElement>(all)]);
  const control = controls.find((element) => !element.matches(":disabled, [aria-hidden], [type=hidden]"));
  // What is folded can't have the focus.
  return control?.closest("details:not([open])")?.querySelector("summary") ?? control;
}

/** Selectors of a control and of the one that takes focus if it is gone. */
export function selectorsOf(control: HTMLElement): string[] {
  const next = control.dataset.focusNext ? [`#${CSS.escape(control.dataset.focusNext)}`] : [];
  if (control.id) return [`#${CSS.escape(control.id)}`, ...next];
  const [name, value] = [control.getAttribute("name"), control.getAttribute("value")];
  return name && value ? [`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`, ...next] : next;
}
