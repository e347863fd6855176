import { t } from "#lib/messages/staff.ts";
import type { ViewedList } from "#provider/contract/views.ts";
import { capital, entryOf } from "../../components/text/format.ts";
import { viewColumns } from "../../components/list/view-columns.ts";

export const listNames: Record<ViewedList, string> = {
  documents: t("common.documents"),
  archive: t("common.theArchive"),
  alerts: t("common.alerts"),
  users: t("common.users"),
  branches: t("common.branches"),
};

const documentFilters = {
  expires: t("documents.documentTable.expiresOn"),
  status: t("common.status"),
  mail: t("documents.mailFilters.label"),
};

/** Filters that are called otherwise than a column with their name, or have none. */
const filterNames: Record<ViewedList, Record<string, string>> = {
  documents: documentFilters,
  archive: documentFilters,
  alerts: {
    number: t("common.documentNumber"),
    text: t("alerts.list.reasonOrComplaint"),
    alert: t("common.alertType"),
    state: t("common.status"),
  },
  users: { email: t("common.email") },
  branches: {},
};

/** Parameters of a list's address as facts; `sort=-date` is “Date, last to first”. */
export function filtersInWords(list: ViewedList, query: string): { label: string; value: string }[] {
  return [...new URLSearchParams(query)].map(([name, value]) => {
    if (name !== "sort") return { label: entryOf(filterNames[list], name) ?? columnName(list, name), value };
    const column = columnName(list, value.replace(/^-/, ""));
    return {
      label: t("views.viewWords.sort"),
      value: value.startsWith("-")
        ? t("views.viewWords.lastToFirst", { column })
        : t("views.viewWords.firstToLast", { column }),
    };
  });
}

/** A column's name; what is none, as another version's, is called as it stands in the address. */
function columnName(list: ViewedList, name: string): string {
  if (name === "name") return t("common.name");
  const columns: readonly { name: string; label: string }[] = viewColumns[list];
  return columns.find((column) => column.name === name)?.label ?? capital(name.replaceAll("_", " "));
}
