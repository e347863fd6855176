import { plainText } from "#lib/messages/isolates.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t } from "#lib/messages/staff.ts";
import { wordsOf } from "#lib/messages/words.ts";
import type { Document } from "#provider/contract/documents.ts";
import type { WithdrawalReason } from "#provider/contract/withdrawal-reasons.ts";
import { showDate } from "../../../components/text/format.ts";
import { verdictIcons, verdictLooks, verdictSentence } from "../../../components/scan/verdict-words.ts";

type Ended = Document["ended"];
type Act = {
  /** On the button that opens the dialog, as in the specification. */
  label: string;
  isOffered(document: Document): boolean;
  /** On the dialog's own button. */
  confirm: string;
  title(name: string): string;
  effect(document: Document): string;
  takesReason?: true;
  /** How its validity has ended afterwards; undefined while it is in force. */
  endedAfter(document: Document, today: string): Ended;
};

const expiredAfter = (expires: string, today: string): Ended =>
  expires !== "" && expires < today ? { reason: "expired", since: expires } : undefined;

const acts: Record<string, Act> = {
  prolong: {
    label: t("common.prolong"),
    isOffered: ({ prolonged_until }) => prolonged_until !== "",
    confirm: t("documents.actionQuestion.prolongDocument"),
    title: (name) => t("documents.actionQuestion.prolongQuestion", { name }),
    effect: ({ expire_date, prolonged_until }) =>
      t("documents.actionQuestion.effectOfProlonging", {
        expires: showDate(expire_date),
        until: showDate(prolonged_until),
      }),
    endedAfter: ({ prolonged_until }, today) => expiredAfter(prolonged_until, today),
  },
  archive: {
    label: t("common.archive"),
    isOffered: ({ status }) => status === "active" || status === "exited",
    confirm: t("documents.actionQuestion.archiveDocument"),
    title: (name) => t("documents.actionQuestion.archiveQuestion", { name }),
    effect: () => t("documents.actionQuestion.effectOfArchiving"),
    endedAfter: ({ ended }) => ended,
  },
  exit: {
    label: t("common.exited"),
    isOffered: ({ status }) => status === "active",
    confirm: t("documents.actionQuestion.withdrawDocument"),
    title: (name) => t("documents.actionQuestion.withdrawQuestion", { name }),
    effect: () => t("documents.actionQuestion.effectOfWithdrawing"),
    takesReason: true,
    endedAfter: ({ ended }, today) => (ended?.reason === "exited" ? ended : { reason: "exited", since: today }),
  },
  reactivate: {
    label: t("common.reactivate"),
    isOffered: ({ status }) => status === "exited",
    confirm: t("documents.actionQuestion.reactivateDocument"),
    title: (name) => t("documents.actionQuestion.reactivateQuestion", { name }),
    effect: ({ replaced_by }) =>
      replaced_by
        ? t("documents.actionQuestion.effectOfReactivatingReplaced", { number: replaced_by.number })
        : t("documents.actionQuestion.effectOfReactivating"),
    endedAfter: ({ expire_date }, today) => expiredAfter(expire_date, today),
  },
  restore: {
    label: t("common.restore"),
    isOffered: ({ status }) => status === "archived",
    confirm: t("documents.actionQuestion.restoreDocument"),
    title: (name) => t("documents.actionQuestion.restoreQuestion", { name }),
    effect: () => t("documents.actionQuestion.effectOfRestoring"),
    endedAfter: ({ ended }) => ended,
  },
};

type Issuer = { company: string; today: string; reasons?: WithdrawalReason[] };

/** The actions that a document's state allows. */
export const offeredActions = (document: Document) =>
  Object.entries(acts).flatMap(([intent, { label, isOffered }]) => (isOffered(document) ? [{ intent, label }] : []));

/** What a dialog asks before a document's state changes, and what a scan will say; undefined for other dialogs. */
export function actionQuestion(dialog: string | null, document: Document, { reasons = [], ...issuer }: Issuer) {
  const act = dialog && Object.hasOwn(acts, dialog) && acts[dialog];
  if (!act) return undefined;
  const before = document.ended;
  const after = act.endedAfter(document, issuer.today);
  const kind = !after ? "in force" : after.reason === "exited" ? "withdrawn" : "expired";
  const { tone, title } = verdictLooks[kind];
  const words = wordsOf(staffLanguage);
  return {
    intent: dialog,
    isOffered: act.isOffered(document),
    title: act.title(document.name),
    effect: act.effect(document),
    confirm: act.confirm,
    reasons: act.takesReason ? reasons : undefined,
    isSame: before?.reason === after?.reason && before?.since === after?.since,
    scan: {
      tone,
      title: words.t(title),
      icon: verdictIcons[tone],
      sentence: plainText(verdictSentence(kind, { company: issuer.company, since: after?.since }, words)),
    },
  };
}

export type ActionQuestion = NonNullable<ReturnType<typeof actionQuestion>>;
