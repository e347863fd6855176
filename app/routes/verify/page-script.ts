import { typedFields } from "./report-forms.tsx";

/** The page's scripts; it works without them. */

/** A button that sends the browser's position instead of a typed place. */
const locateScript = `
(() => {
  const button = document.getElementById("locate");
  if (!button || !navigator.geolocation) return;
  const form = button.form, failed = document.getElementById("no-position");
  button.hidden = false;
  button.onclick = () => {
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      for (const name of ["latitude", "longitude", "accuracy"]) {
        form.elements[name].disabled = false;
        form.elements[name].value = coords[name];
      }
      form.submit();
    }, () => {
      button.disabled = false;
      failed.hidden = false;
      form.elements.place.focus();
    }, { enableHighAccuracy: true, timeout: 15000 });
  };
})();
`;

/** Sends what was typed into the scan's other forms along with each of them. Without scripts, only what was sent before stays. */
const keepTypedScript = `
for (const form of document.forms) if (form.elements.scan) form.addEventListener("formdata", ({ formData }) => {
  for (const name of ${JSON.stringify(typedFields)}) {
    const field = document.querySelector(".tell [name=" + name + "]:not([type=hidden])");
    if (field) formData.set(name, field.value);
  }
});
`;

export const pageScript = locateScript + keepTypedScript;
