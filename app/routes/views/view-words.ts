import { say } from "#messages/staff.ts";
import type { ViewedList } from "#provider/contract/views.ts";

export const listNames: Record<ViewedList, string> = {
  documents: say("common.documents"),
  archive: say("common.theArchive"),
  alerts: say("common.alerts"),
  users: say("common.users"),
  branches: say("common.branches"),
};

/** Parameters of a list's address as facts; `sort=-date` is “date, last to first”. */
export function filtersInWords(query: string): { label: string; value: string }[] {
  return [...new URLSearchParams(query)].map(([name, value]) => {
    if (name !== "sort") return { label: inWords(name), value };
    const column = inWords(value.replace(/^-/, "")).toLowerCase();
    return {
      label: say("views.viewWords.sort"),
      value: value.startsWith("-")
        ? say("views.viewWords.lastToFirst", { column })
        : say("views.viewWords.firstToLast", { column }),
    };
  });
}

function inWords(name: string) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
