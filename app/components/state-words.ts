/** A document's state in words: the same in lists, filters, files and histories, and of its scans. */
export const stateWords = {
  "in force": "In force",
  withdrawn: "Withdrawn",
  expired: "Expired",
  archived: "Archived",
  "copy withdrawn": "Copy withdrawn",
  "other paper": "Another paper",
} as const;
export type DocumentState = keyof typeof stateWords;

/** The stored status in the same words; it does not say whether the document has expired. */
export const statusWords: Record<string, string> = {
  active: "Active",
  exited: stateWords.withdrawn,
  archived: stateWords.archived,
};
