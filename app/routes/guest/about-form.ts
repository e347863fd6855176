/** What became of a form that was sent after the session had ended, or before its user had proved to be present. */
export function aboutForm(form: string | null) {
  if (form === "kept") {
    return " Nothing is saved yet: what you typed will be in the form again, except passwords and files.";
  }
  return form === "lost" ? " Nothing was saved, and what you typed has to be entered again." : "";
}
