import { t } from "#lib/messages/staff.ts";

/** The lists whose rows can be selected, and what can be done to many of them at once. */

type SelectableList = {
  noun: "documents" | "alerts" | "users";
  path: string;
  exportAt: string;
  /** Acts by name with their label, in the toolbar's order; a new act is a line here. */
  acts: Record<string, string>;
  /** Whether what is selected has codes to print and sealed PDFs. */
  hasDocuments?: true;
};

const selectionLists = {
  documents: {
    noun: "documents",
    path: "/documents/list",
    exportAt: "/documents/list.csv",
    acts: {
      archive: t("common.archive"),
      exit: t("common.exited"),
      reactivate: t("common.reactivate"),
      prolong: t("common.prolong"),
      group: t("components.selectionLists.changeGroup"),
      remind: t("common.remindRecipients"),
    },
    hasDocuments: true,
  },
  archive: {
    noun: "documents",
    path: "/documents/archive",
    exportAt: "/documents/archive.csv",
    acts: { restore: t("common.restore") },
    hasDocuments: true,
  },
  alerts: {
    noun: "alerts",
    path: "/alerts",
    exportAt: "/alerts.csv",
    acts: { complete: t("common.complete"), reopen: t("common.reopen"), assign: t("common.assign") },
  },
  users: {
    noun: "users",
    path: "/users/list",
    exportAt: "/users/list.csv",
    acts: {
      group: t("components.selectionLists.changeGroup"),
      deactivate: t("components.selectionLists.deactivate"),
    },
  },
  "removed users": {
    noun: "users",
    path: "/users/list",
    exportAt: "/users/list.csv",
    acts: { reactivate: t("common.reactivate") },
  },
} as const satisfies Record<string, SelectableList>;

type SelectionListName = keyof typeof selectionLists;

export const selectionList = (name: string): SelectableList | undefined =>
  Object.hasOwn(selectionLists, name) ? selectionLists[name as SelectionListName] : undefined;

/** What a list hands its toolbar; undefined if the provider has no bulk actions. */
export type Selection = {
  list: SelectionListName;
  /** The list's filters as the provider reads them. */
  filters: string;
  mayChange: boolean;
  /** Whether the company sends documents to recipients. */
  mayRemind: boolean;
};
