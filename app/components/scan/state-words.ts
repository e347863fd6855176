import { t } from "#lib/messages/staff.ts";

/** A document's state in words: the same in lists, filters, files and histories, and of its scans. */
export const stateWords = {
  "in force": t("components.stateWords.inForce"),
  withdrawn: t("components.stateWords.withdrawn"),
  expired: t("components.stateWords.expired"),
  archived: t("components.stateWords.archived"),
  "copy withdrawn": t("components.stateWords.copyWithdrawn"),
  "other paper": t("components.stateWords.anotherPaper"),
} as const;
export type DocumentState = keyof typeof stateWords;

/** The stored status in the same words; it does not say whether the document has expired. */
export const statusWords: Record<string, string> = {
  active: t("common.active"),
  exited: stateWords.withdrawn,
  archived: stateWords.archived,
};
