import { t } from "#lib/messages/staff.ts";
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
  verb: t("bulk-actions.actWords.changeAccessGroup"),
  question: (count) => t("bulk-actions.actWords.changeGroupQuestion", { count }),
  done: t("bulk-actions.actWords.accessGroupChanged"),
  effect: t("bulk-actions.actWords.effectOfGroup"),
};

const words: Record<BulkNoun, Record<string, Words>> = {
  documents: {
    archive: {
      verb: t("common.archive"),
      question: (count) => t("bulk-actions.actWords.archiveQuestion", { count }),
      done: t("bulk-actions.actWords.archived"),
      effect: t("bulk-actions.actWords.effectOfArchiving"),
    },
    restore: {
      verb: t("common.restore"),
      question: (count) => t("bulk-actions.actWords.restoreQuestion", { count }),
      done: t("bulk-actions.actWords.restored"),
      effect: t("bulk-actions.actWords.effectOfRestoring"),
    },
    exit: {
      verb: t("bulk-actions.actWords.markAsExited"),
      question: (count) => t("bulk-actions.actWords.withdrawQuestion", { count }),
      done: t("common.exited"),
      effect: t("bulk-actions.actWords.effectOfWithdrawing"),
    },
    reactivate: {
      verb: t("common.reactivate"),
      question: (count) => t("bulk-actions.actWords.reactivateQuestion", { count }),
      done: t("bulk-actions.actWords.reactivated"),
      effect: t("bulk-actions.actWords.effectOfReactivating"),
    },
    prolong: {
      verb: t("common.prolong"),
      question: (count) => t("bulk-actions.actWords.prolongQuestion", { count }),
      done: t("bulk-actions.actWords.prolonged"),
      effect: t("bulk-actions.actWords.effectOfProlonging"),
    },
    group,
    remind: {
      verb: t("common.remindRecipients"),
      question: (count) => t("bulk-actions.actWords.remindQuestion", { count }),
      done: t("bulk-actions.actWords.reminded"),
      effect: t("bulk-actions.actWords.effectOfReminding"),
    },
    shorten: {
      verb: t("bulk-actions.actWords.undoProlongation"),
      done: t("bulk-actions.actWords.earlierExpireDateRestored"),
      effect: "",
    },
  },
  alerts: {
    complete: {
      verb: t("common.complete"),
      question: (count) => t("bulk-actions.actWords.completeQuestion", { count }),
      done: t("common.completed"),
      effect: t("bulk-actions.actWords.effectOfCompleting"),
    },
    reopen: {
      verb: t("common.reopen"),
      question: (count) => t("bulk-actions.actWords.reopenQuestion", { count }),
      done: t("bulk-actions.actWords.reopened"),
      effect: t("bulk-actions.actWords.effectOfReopening"),
    },
    assign: {
      verb: t("common.assign"),
      question: (count) => t("bulk-actions.actWords.assignQuestion", { count }),
      done: t("bulk-actions.actWords.assigned"),
      effect: t("bulk-actions.actWords.effectOfAssigning"),
    },
  },
  users: {
    deactivate: {
      verb: t("bulk-actions.actWords.deactivate"),
      question: (count) => t("bulk-actions.actWords.deactivateQuestion", { count }),
      done: t("bulk-actions.actWords.deactivated"),
      effect: t("bulk-actions.actWords.effectOfDeactivating"),
    },
    reactivate: {
      verb: t("common.reactivate"),
      question: (count) => t("bulk-actions.actWords.reactivateUsersQuestion", { count }),
      done: t("bulk-actions.actWords.reactivated"),
      effect: t("bulk-actions.actWords.effectOfReactivatingUsers"),
    },
    group: {
      ...group,
      question: (count) => t("bulk-actions.actWords.changeGroupOfUsersQuestion", { count }),
      effect: t("bulk-actions.actWords.effectOfGroupOfUsers"),
    },
  },
};

export const wordsOf = (noun: BulkNoun, act: string): Words =>
  entryOf(words[noun], act) ?? { verb: act, done: act, effect: "" };

/** `3 documents` */
export const countOf = (count: number, noun: BulkNoun) => t("bulk-actions.actWords.count", { noun, count });

const pages: Record<BulkNoun, string> = { documents: "/documents/", alerts: "/alerts/", users: "/users/view/" };

export const recordPage = (noun: BulkNoun, id: number) => `${pages[noun]}${id}`;

const lists: Record<BulkNoun, { to: string; words: string }> = {
  documents: { to: "/documents/list", words: t("common.backToTheListOfDocuments") },
  alerts: { to: "/alerts", words: t("common.backToTheListOfAlerts") },
  users: { to: "/users/list", words: t("common.backToTheListOfUsers") },
};

/** The list where an action starts, or the action that it reverses. */
export function listOf({ noun, act, undo_of }: Pick<BulkAction, "noun" | "act" | "undo_of">) {
  const isOfArchive = act === (undo_of === null ? "restore" : "archive");
  return isOfArchive ? { to: "/documents/archive", words: t("common.backToTheArchive") } : lists[noun];
}

/** An action's page, which leads back to the list as it was left. */
export const actionAddress = (id: number, from: string | null) =>
  `/bulk-actions/${id}${from ? `?${new URLSearchParams({ from })}` : ""}`;
