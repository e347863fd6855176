import { showDate } from "../text/format.ts";

/** Puts a date that was chosen in the browser's calendar into the box beside it, where dates are typed. */
export function copyChosenDate({ target }: Event) {
  if (!(target instanceof HTMLInputElement) || !target.matches(".calendar input") || !target.value) return;
  const dateBox = target.closest(".dated")!.querySelector<HTMLInputElement>(".input")!;
  const text = dateBox.placeholder === "YYYY-MM-DD" ? target.value : showDate(target.value);
  // Past React's own setter, so that React notices the change.
  Reflect.set(HTMLInputElement.prototype, "value", text, dateBox);
  target.value = "";
  for (const type of ["input", "change"]) dateBox.dispatchEvent(new Event(type, { bubbles: true }));
  dateBox.focus();
}
