/** The page's only script, which it works without: a button that sends the browser's position instead of a typed place. */
export const locateScript = `
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
