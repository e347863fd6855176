/**
 * Shows the forms that need a passkey, and has the browser fill them in. Runs in pages that ship no other script, so that
 * it names nothing outside of itself.
 */
export function offerPasskeys() {
  const Credential = globalThis.PublicKeyCredential;
  if (!Credential || !("parseRequestOptionsFromJSON" in Credential)) return;
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    if (!form.hidden) continue;
    const { passkey, options } = form.dataset;
    const button = form.querySelector("button")!;
    const failed = form.querySelector<HTMLElement>("[data-failed]")!;
    const answer = form.elements.namedItem("response") as HTMLInputElement;
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      failed.hidden = true;
      try {
        const json = await (await fetch(options!, { method: "POST", body: new FormData(form) })).json();
        const credential =
          passkey === "create"
            ? await navigator.credentials.create({ publicKey: Credential.parseCreationOptionsFromJSON(json) })
            : await navigator.credentials.get({ publicKey: Credential.parseRequestOptionsFromJSON(json) });
        answer.value = JSON.stringify(credential);
        form.submit();
      } catch {
        button.disabled = false;
        failed.hidden = false;
      }
    });
  }
}
