import { plainText } from "#lib/messages/isolates.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t } from "#lib/messages/staff.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { type Copy, copyParams, withdrawCopy } from "#provider/contract/copies.ts";
import type { Document } from "#provider/contract/documents.ts";
import { showDate, showInstant } from "../../../components/text/format.ts";
import {
  type VerdictKind,
  verdictIcons,
  verdictLooks,
  verdictSentence,
} from "../../../components/scan/verdict-words.ts";
import { type Fields, handleForm } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../../server/provider/failure.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getOffers, getUser, timeZoneOf } from "../../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../../server/sessions/session.ts";
import { copyDialogs } from "./copy-dialogs.ts";

/** A document's numbered copies; undefined if there is one only, or the provider does not list them. */
export async function readCopies(context: Context, { id, copies }: Document) {
  if (copies === 1 || !getOffers(context).copies) return undefined;
  const rows = await orUndefinedIfHidden(getProvider(context).listCopies({ params: { id: String(id) } }));
  const timeZone = timeZoneOf(getUser(context));
  return rows?.map((row) => ({ ...row, last_scan: row.last_scan && showInstant(row.last_scan, timeZone) }));
}

export type DocumentCopy = Copy;

type Issuer = { company: string; today: string };
type Asked = { dialog: string | null; n: string | null };

/** What a dialog asks before a copy is withdrawn or restored, and what its scan will say; undefined for other dialogs. */
export function copyQuestion({ dialog, n }: Asked, document: Document, copies: Copy[] | undefined, issuer: Issuer) {
  const copy = copies?.find((one) => String(one.n) === n);
  if (!copy || (dialog !== copyDialogs.withdraw && dialog !== copyDialogs.restore)) return undefined;
  const isWithdrawal = dialog === copyDialogs.withdraw;
  const { ended } = document;
  const kind: VerdictKind = ended
    ? ended.reason === "exited"
      ? "withdrawn"
      : "expired"
    : isWithdrawal
      ? "copy withdrawn"
      : "in force";
  const withdrawn = { copy: copy.n, copies: document.copies, reason: "", since: issuer.today };
  const { tone, title } = verdictLooks[kind];
  const words = wordsOf(staffLanguage);
  const counted = { n: copy.n, copies: document.copies };
  return {
    intent: dialog,
    n: copy.n,
    title: isWithdrawal
      ? t("documents.copyDialog.withdrawQuestion", counted)
      : t("documents.copyDialog.restoreQuestion", counted),
    isOffered: isWithdrawal === !copy.withdrawn,
    effect: isWithdrawal ? t("documents.copyDialog.effectOfWithdrawing") : effectOfRestoring(copy),
    scan: {
      tone,
      title: words.t(title),
      icon: verdictIcons[tone],
      sentence: plainText(verdictSentence(kind, { company: issuer.company, since: ended?.since, withdrawn }, words)),
    },
  };
}

/** Another user may have restored it meanwhile. */
const effectOfRestoring = ({ withdrawn }: Copy) =>
  withdrawn
    ? t("documents.copyDialog.effectOfRestoring", { reason: withdrawn.reason, date: showDate(withdrawn.since) })
    : t("documents.copyDialog.scanSaysTheSame");

export type CopyQuestion = NonNullable<ReturnType<typeof copyQuestion>>;

const copy = copyParams.shape.n;
const restoreForm = copyParams.pick({ n: true });
export const withdrawForm = withdrawCopy.body.safeExtend({ n: copy });

/** Withdraws or restores the copy that a form names; undefined for another form. */
export function performOnCopy(form: Fields, context: Context, id: string) {
  const intent = form.get("intent");
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, `/documents/${id}`, notice);
  if (intent === copyDialogs.restore) {
    return handleForm(form, {
      schema: restoreForm,
      async save({ n }) {
        const { awaiting_release: waits } = await provider.restoreCopy({ params: { id, n } });
        return leave(waits ? t("documents.copies.awaitsRelease", { n }) : t("documents.copies.isInUseAgain", { n }));
      },
    });
  }
  if (intent !== copyDialogs.withdraw) return undefined;
  return handleForm(form, {
    schema: withdrawForm,
    async save({ n, ...body }) {
      const { awaiting_release: waits } = await provider.withdrawCopy({ params: { id, n }, body });
      return leave(waits ? t("documents.copies.awaitsRelease", { n }) : t("documents.copies.wasWithdrawn", { n }));
    },
  });
}
