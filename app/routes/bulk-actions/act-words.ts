import type { BulkAction, BulkNoun } from "#provider/contract/bulk-actions.ts";
import { showCount } from "../../components/format.ts";

type Words = {
  /** On the button. */
  verb: string;
  /** Of the result. */
  done: string;
  effect: string;
};

const group = {
  verb: "Change access group",
  done: "Access group changed",
  effect: "The group decides which colleagues see them. Owners and administrators always do.",
};

const words: Record<BulkNoun, Record<string, Words>> = {
  documents: {
    archive: {
      verb: "Archive",
      done: "Archived",
      effect: "They move to the archive. You can restore them at any time.",
    },
    restore: { verb: "Restore", done: "Restored", effect: "They go back to the list as they were before." },
    exit: {
      verb: "Withdraw",
      done: "Withdrawn",
      effect: "They are no longer in force, and scans of them raise an alert. You can undo this.",
    },
    reactivate: {
      verb: "Reactivate",
      done: "Reactivated",
      effect: "Their withdrawal is undone. You can undo this: they are then withdrawn as they were.",
    },
    prolong: { verb: "Prolong", done: "Prolonged", effect: "Each expire date moves by the document’s first period." },
    group,
    shorten: { verb: "Undo prolongation", done: "Earlier expire date restored", effect: "" },
  },
  alerts: {
    complete: { verb: "Complete", done: "Completed", effect: "Each gets the note that you enter here." },
    reopen: { verb: "Reopen", done: "Reopened", effect: "Each gets the reason that you enter here." },
    assign: {
      verb: "Assign",
      done: "Assigned",
      effect: "A new owner is notified by email, of 20 alerts an hour at most. You can undo this.",
    },
  },
  users: {
    deactivate: {
      verb: "Deactivate",
      done: "Deactivated",
      effect: "They can’t sign in any more. Their documents and history stay.",
    },
    reactivate: {
      verb: "Reactivate",
      done: "Reactivated",
      effect: "They can sign in again. Those who never set a password are invited by mail.",
    },
    group: { ...group, effect: "They get the rights of the chosen group." },
  },
};

export const wordsOf = (noun: BulkNoun, act: string): Words => words[noun][act] ?? { verb: act, done: act, effect: "" };

/** `3 documents` */
export const countOf = (count: number, noun: BulkNoun) => showCount(count, noun.slice(0, -1));

const pages: Record<BulkNoun, string> = { documents: "/documents/", alerts: "/alerts/", users: "/users/view/" };

export const recordPage = (noun: BulkNoun, id: number) => `${pages[noun]}${id}`;

const lists: Record<BulkNoun, { to: string; words: string }> = {
  documents: { to: "/documents/list", words: "Back to the list of documents" },
  alerts: { to: "/alerts", words: "Back to the list of alerts" },
  users: { to: "/users/list", words: "Back to the list of users" },
};

/** The list from which an act is begun, or the act that it reverses. */
export function listOf({ noun, act, undo_of }: Pick<BulkAction, "noun" | "act" | "undo_of">) {
  const isOfArchive = act === (undo_of === null ? "restore" : "archive");
  return isOfArchive ? { to: "/documents/archive", words: "Back to the archive" } : lists[noun];
}

/** An action's page, which leads back to the list as it was left. */
export const actionAddress = (id: number, from: string | null) =>
  `/bulk-actions/${id}${from ? `?${new URLSearchParams({ from })}` : ""}`;
