import { t } from "#lib/messages/staff.ts";

/** What became of a form that was sent after the session had ended, or before its user had proved to be present. */
export function aboutForm(form: string | null) {
  if (form === "kept") return t("guest.aboutForm.keptButNotSaved");
  return form === "lost" ? t("guest.aboutForm.lost") : "";
}
