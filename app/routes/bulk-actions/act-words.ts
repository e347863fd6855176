import { say } from "#messages/staff.ts";
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
  verb: say("bulk-actions.actWords.changeAccessGroup"),
  done: say("bulk-actions.actWords.accessGroupChanged"),
  effect: say("bulk-actions.actWords.theGroupDecidesWhich"),
};

const words: Record<BulkNoun, Record<string, Words>> = {
  documents: {
    archive: {
      verb: say("common.archive"),
      done: say("bulk-actions.actWords.archived"),
      effect: say("bulk-actions.actWords.theyMoveToThe"),
    },
    restore: {
      verb: say("common.restore"),
      done: say("bulk-actions.actWords.restored"),
      effect: say("bulk-actions.actWords.theyGoBackTo"),
    },
    exit: {
      verb: say("common.withdraw"),
      done: say("bulk-actions.actWords.withdrawn"),
      effect: say("bulk-actions.actWords.theyAreNoLonger"),
    },
    reactivate: {
      verb: say("common.reactivate"),
      done: say("bulk-actions.actWords.reactivated"),
      effect: say("bulk-actions.actWords.theirWithdrawalIsUndone"),
    },
    prolong: {
      verb: say("common.prolong"),
      done: say("bulk-actions.actWords.prolonged"),
      effect: say("bulk-actions.actWords.eachExpireDateMoves"),
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
      done: say("common.completed"),
      effect: say("bulk-actions.actWords.eachGetsTheNote"),
    },
    reopen: {
      verb: say("common.reopen"),
      done: say("bulk-actions.actWords.reopened"),
      effect: say("bulk-actions.actWords.eachGetsTheReason"),
    },
    assign: {
      verb: say("common.assign"),
      done: say("bulk-actions.actWords.assigned"),
      effect: say("bulk-actions.actWords.aNewOwnerIs"),
    },
  },
  users: {
    deactivate: {
      verb: say("bulk-actions.actWords.deactivate"),
      done: say("bulk-actions.actWords.deactivated"),
      effect: say("bulk-actions.actWords.theyCantSignIn"),
    },
    reactivate: {
      verb: say("common.reactivate"),
      done: say("bulk-actions.actWords.reactivated"),
      effect: say("bulk-actions.actWords.theyCanSignIn"),
    },
    group: { ...group, effect: say("bulk-actions.actWords.theyGetTheRights") },
  },
};

export const wordsOf = (noun: BulkNoun, act: string): Words => words[noun][act] ?? { verb: act, done: act, effect: "" };

/** `3 documents` */
export const countOf = (count: number, noun: BulkNoun) => showCount(count, noun.slice(0, -1));

const pages: Record<BulkNoun, string> = { documents: "/documents/", alerts: "/alerts/", users: "/users/view/" };

export const recordPage = (noun: BulkNoun, id: number) => `${pages[noun]}${id}`;

const lists: Record<BulkNoun, { to: string; words: string }> = {
  documents: { to: "/documents/list", words: say("common.backToTheListOfDocuments") },
  alerts: { to: "/alerts", words: say("common.backToTheListOf") },
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
