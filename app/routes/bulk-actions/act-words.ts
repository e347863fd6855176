import { say } from "#lib/messages/staff.ts";
import type { BulkAction, BulkNoun } from "#provider/contract/bulk-actions.ts";
import { entryOf } from "../../components/text/format.ts";

type Words = {
  /** On the button. */
  verb: string;
  /** Before it is done; what is only undone has none. */
  question?: (count: number) => string;
  /** Of the result. */
  done: string;
  effect: string;
};

const group: Words = {
  verb: say("bulk-actions.actWords.changeAccessGroup"),
  question: (count) => say("bulk-actions.actWords.changeGroupQuestion", { count }),
  done: say("bulk-actions.actWords.accessGroupChanged"),
  effect: say("bulk-actions.actWords.effectOfGroup"),
};

const words: Record<BulkNoun, Record<string, Words>> = {
  documents: {
    archive: {
      verb: say("common.archive"),
      question: (count) => say("bulk-actions.actWords.archiveQuestion", { count }),
      done: say("bulk-actions.actWords.archived"),
      effect: say("bulk-actions.actWords.effectOfArchiving"),
    },
    restore: {
      verb: say("common.restore"),
      question: (count) => say("bulk-actions.actWords.restoreQuestion", { count }),
      done: say("bulk-actions.actWords.restored"),
      effect: say("bulk-actions.actWords.effectOfRestoring"),
    },
    exit: {
      verb: say("common.withdraw"),
      question: (count) => say("bulk-actions.actWords.withdrawQuestion", { count }),
      done: say("bulk-actions.actWords.withdrawn"),
      effect: say("bulk-actions.actWords.effectOfWithdrawing"),
    },
    reactivate: {
      verb: say("common.reactivate"),
      question: (count) => say("bulk-actions.actWords.reactivateQuestion", { count }),
      done: say("bulk-actions.actWords.reactivated"),
      effect: say("bulk-actions.actWords.effectOfReactivating"),
    },
    prolong: {
      verb: say("common.prolong"),
      question: (count) => say("bulk-actions.actWords.prolongQuestion", { count }),
      done: say("bulk-actions.actWords.prolonged"),
      effect: say("bulk-actions.actWords.effectOfProlonging"),
    },
    group,
    shorten: {
      verb: say("bulk-actions.actWords.undoProlongation"),
      done: say("bulk-actions.actWords.earlierExpireDateRestored"),
      effect: "",
    },
  },
  alerts: {
    complete: {
      verb: say("common.complete"),
      question: (count) => say("bulk-actions.actWords.completeQuestion", { count }),
      done: say("common.completed"),
      effect: say("bulk-actions.actWords.effectOfCompleting"),
    },
    reopen: {
      verb: say("common.reopen"),
      question: (count) => say("bulk-actions.actWords.reopenQuestion", { count }),
      done: say("bulk-actions.actWords.reopened"),
      effect: say("bulk-actions.actWords.effectOfReopening"),
    },
    assign: {
      verb: say("common.assign"),
      question: (count) => say("bulk-actions.actWords.assignQuestion", { count }),
      done: say("bulk-actions.actWords.assigned"),
      effect: say("bulk-actions.actWords.effectOfAssigning"),
    },
  },
  users: {
    deactivate: {
      verb: say("bulk-actions.actWords.deactivate"),
      question: (count) => say("bulk-actions.actWords.deactivateQuestion", { count }),
      done: say("bulk-actions.actWords.deactivated"),
      effect: say("bulk-actions.actWords.effectOfDeactivating"),
    },
    reactivate: {
      verb: say("common.reactivate"),
      question: (count) => say("bulk-actions.actWords.reactivateUsersQuestion", { count }),
      done: say("bulk-actions.actWords.reactivated"),
      effect: say("bulk-actions.actWords.effectOfReactivatingUsers"),
    },
    group: {
      ...group,
      question: (count) => say("bulk-actions.actWords.changeGroupOfUsersQuestion", { count }),
      effect: say("bulk-actions.actWords.effectOfGroupOfUsers"),
    },
  },
};

export const wordsOf = (noun: BulkNoun, act: string): Words =>
  entryOf(words[noun], act) ?? { verb: act, done: act, effect: "" };

/** `3 documents` */
export const countOf = (count: number, noun: BulkNoun) => say("bulk-actions.actWords.count", { noun, count });

const pages: Record<BulkNoun, string> = { documents: "/documents/", alerts: "/alerts/", users: "/users/view/" };

export const recordPage = (noun: BulkNoun, id: number) => `${pages[noun]}${id}`;

const lists: Record<BulkNoun, { to: string; words: string }> = {
  documents: { to: "/documents/list", words: say("common.backToTheListOfDocuments") },
  alerts: { to: "/alerts", words: say("common.backToTheListOfAlerts") },
  users: { to: "/users/list", words: say("common.backToTheListOfUsers") },
};

/** The list from which an act is begun, or the act that it reverses. */
export function listOf({ noun, act, undo_of }: Pick<BulkAction, "noun" | "act" | "undo_of">) {
  const isOfArchive = act === (undo_of === null ? "restore" : "archive");
  return isOfArchive ? { to: "/documents/archive", words: say("common.backToTheArchive") } : lists[noun];
}

/** An action's page, which leads back to the list as it was left. */
export const actionAddress = (id: number, from: string | null) =>
  `/bulk-actions/${id}${from ? `?${new URLSearchParams({ from })}` : ""}`;
