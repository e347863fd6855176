/**
 * Keys that lead to the search in the header: Ctrl or Cmd with K, and / unless it is turned off (WCAG 2.1.4). Handled as soon
 * as this code is there: what is typed next would be lost while React takes the page over.
 */
if (typeof document !== "undefined") document.addEventListener("keydown", goToSearch);

/** What had the focus before the search; Escape gives it back. */
let earlier: HTMLElement | undefined;

function goToSearch(event: KeyboardEvent) {
  const field = document.querySelector<HTMLInputElement>(".find input");
  if (!field) return;
  if (event.target === field && event.key === "Escape") {
    if (earlier?.isConnected) earlier.focus();
    else field.blur();
    return;
  }
  if (!leadsToSearch(event, field) || document.querySelector("dialog:modal")) return;
  event.preventDefault();
  const { activeElement } = document;
  earlier = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : undefined;
  field.focus();
  // On narrow screens the field is hidden: its button opens the search page.
  if (document.activeElement !== field) field.form!.requestSubmit();
  else field.select();
}

function leadsToSearch({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent, field: HTMLInputElement) {
  const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
  if ((ctrlKey || metaKey) && !altKey && !shiftKey) return key === "k";
  return key === "/" && !ctrlKey && !metaKey && !altKey && !isTyping && field.ariaKeyShortcuts?.startsWith("/");
}
