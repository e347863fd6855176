import type { ViewedList } from "#provider/contract/views.ts";

export const listNames: Record<ViewedList, string> = {
  documents: "Documents",
  archive: "Archive",
  alerts: "Alerts",
  users: "Users",
  branches: "Branches",
};

/** Parameters of a list's address as facts; `sort=-date` is “date, last to first”. */
export function filtersInWords(query: string): { label: string; value: string }[] {
  return [...new URLSearchParams(query)].map(([name, value]) => {
    if (name !== "sort") return { label: inWords(name), value };
    const column = inWords(value.replace(/^-/, "")).toLowerCase();
    return { label: "Sort", value: `${column}, ${value.startsWith("-") ? "last to first" : "first to last"}` };
  });
}

function inWords(name: string) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
