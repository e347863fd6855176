/**
 * Shows the buttons that need a script: each shows the password in the field that it names, or copies the text of another
 * element. Runs in pages that ship no other script, so that it names nothing outside of itself.
 */
export function offerButtons() {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-of][hidden]")) {
    const target = document.getElementById(button.dataset.of!)!;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const isInput = target instanceof HTMLInputElement;
      if (isInput && !button.dataset.copied) {
        const isShown = target.type === "text";
        target.type = isShown ? "password" : "text";
        button.setAttribute("aria-pressed", String(!isShown));
        return;
      }
      if (isInput) target.select();
      else getSelection()!.selectAllChildren(target);
      // Without TLS browsers have no clipboard, and some refuse it: then the selection is copied.
      const isCopied = navigator.clipboard
        ? await navigator.clipboard.writeText(isInput ? target.value : target.innerText).then(
            () => true,
            () => document.execCommand("copy"),
          )
        : document.execCommand("copy");
      button.nextElementSibling!.textContent = isCopied ? button.dataset.copied! : "";
    });
  }
}
