import { type ReactNode, useEffect } from "react";
import { Announcer } from "./announcer.tsx";
import { sendVersion } from "../form/unsaved-entries.ts";
import { copyChosenDate } from "../form/calendar.ts";
import { useFocusRestore } from "./focus-restore.ts";
import { UnsavedChangesGuard } from "../form/unsaved-changes-guard.tsx";
import { usePreventDoubleSubmit } from "../form/use-prevent-double-submit.ts";

/** What scripts add once a user has begun to use a page, which is when browsers fetch this. */
export default function Interaction({ first }: { first: Event }): ReactNode {
  useFocusRestore(first);
  usePreventDoubleSubmit();
  useEffect(() => {
    document.addEventListener("change", copyChosenDate);
    document.addEventListener("formdata", dropEmptyFields);
    document.addEventListener("formdata", sendVersion);
    document.addEventListener("click", closeOthers);
    document.addEventListener("keydown", closeByEscape);
    return () => {
      document.removeEventListener("change", copyChosenDate);
      document.removeEventListener("formdata", dropEmptyFields);
      document.removeEventListener("formdata", sendVersion);
      document.removeEventListener("click", closeOthers);
      document.removeEventListener("keydown", closeByEscape);
    };
  }, []);
  return (
    <>
      <Announcer />
      <UnsavedChangesGuard />
    </>
  );
}

/** A button that sorts or changes the rows per page adds its own value after the form's; the last one counts. */
const singleValued = ["sort", "per_page"];

/** Keeps filters that are not in use out of the address; without scripts the server does. */
function dropEmptyFields({ target, formData }: FormDataEvent) {
  if ((target as HTMLFormElement).method !== "get") return;
  for (const name of singleValued) if (formData.has(name)) formData.set(name, formData.getAll(name).at(-1)!);
  for (const name of new Set(formData.keys())) if (formData.get(name) === "") formData.delete(name);
}

const openMenus = () => document.querySelectorAll<HTMLDetailsElement>(".page-acts .more[open]");

/** Closes what is unfolded under More once something else is pressed. */
function closeOthers({ target }: MouseEvent) {
  for (const menu of openMenus()) if (!menu.contains(target as Node)) menu.open = false;
}

function closeByEscape({ key }: KeyboardEvent) {
  if (key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary")!.focus();
  }
}
