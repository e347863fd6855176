import { say } from "#lib/messages/staff.ts";

/** A document's state in words: the same in lists, filters, files and histories, and of its scans. */
export const stateWords = {
  "in force": say("components.stateWords.inForce"),
  withdrawn: say("components.stateWords.withdrawn"),
  expired: say("components.stateWords.expired"),
  archived: say("components.stateWords.archived"),
  "copy withdrawn": say("components.stateWords.copyWithdrawn"),
  "other paper": say("components.stateWords.anotherPaper"),
} as const;
export type DocumentState = keyof typeof stateWords;

/** The stored status in the same words; it does not say whether the document has expired. */
export const statusWords: Record<string, string> = {
  active: say("common.active"),
  exited: stateWords.withdrawn,
  archived: stateWords.archived,
};
