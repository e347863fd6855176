import { type RefObject, useEffect, useRef } from "react";
import { type Location, useBlocker, useNavigation } from "react-router";

/** Asks before a page is left whose form was edited. Links marked `data-discard` leave without the question. */
export function LeaveGuard() {
  const isMeant = useIntent();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      pageOf(currentLocation) !== pageOf(nextLocation) && !isMeant.current && isEdited(),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!isMeant.current && isEdited()) event.preventDefault();
    };
    addEventListener("beforeunload", warn);
    document.addEventListener("click", followHash);
    return () => {
      removeEventListener("beforeunload", warn);
      document.removeEventListener("click", followHash);
    };
  }, [isMeant]);
  if (blocker.state !== "blocked") return null;
  return (
    <dialog
      ref={(dialog) => dialog?.showModal()}
      className="modal"
      aria-labelledby="leave-title"
      onCancel={() => blocker.reset()}
    >
      <div className="modal-box">
        <h2 id="leave-title">Leave without saving?</h2>
        <p className="mt-2">What you changed on this page is not saved.</p>
        <div className="modal-foot">
          <button type="button" className="btn btn-quiet" onClick={() => blocker.reset()} autoFocus>
            Stay
          </button>
          <button type="button" className="btn btn-error" onClick={() => blocker.proceed()}>
            Leave without saving
          </button>
        </div>
      </div>
    </dialog>
  );
}

/** Moves the focus as the browser does for a link within the page, but without an entry in the history, where no router knows it. */
function followHash(event: MouseEvent) {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href^='#']");
  const target = link && document.getElementById(link.hash.slice(1));
  if (!target || event.defaultPrevented) return;
  event.preventDefault();
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

/** Dialogs and tabs are part of the address, but not other pages; an edit mode is. */
const pageOf = ({ pathname, search }: Location) => pathname + new URLSearchParams(search).has("edit");

/** Whether the page is left on purpose: by sending a form, or by a link that discards what was typed. */
function useIntent(): RefObject<boolean> {
  const isMeant = useRef(false);
  const { state } = useNavigation();
  useEffect(() => {
    if (state === "idle") isMeant.current = false;
  }, [state]);
  useEffect(() => {
    const send = () => (isMeant.current = navigator.onLine);
    const press = ({ target }: Event) =>
      (isMeant.current = target instanceof Element && target.closest("[data-discard]") !== null);
    document.addEventListener("submit", send, true);
    document.addEventListener("click", press, true);
    return () => {
      document.removeEventListener("submit", send, true);
      document.removeEventListener("click", press, true);
    };
  }, []);
  return isMeant;
}

/** Whether a form has other values than the page came with, or is a refused one, whose values are not saved either. */
function isEdited(): boolean {
  const controls = [
    ...document.querySelectorAll("form[method=post] [name]:is(input:not([type=hidden]), select, textarea)"),
  ];
  return controls.some(isChanged) || (controls.length > 0 && document.querySelector(".error-summary") !== null);
}

function isChanged(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    const saved = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
    return control.selectedIndex !== Math.max(saved, 0);
  }
  const { value, defaultValue, checked, defaultChecked } = control as HTMLInputElement;
  return value !== defaultValue || checked !== defaultChecked;
}
