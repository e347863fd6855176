import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { exitDocument } from "#provider/contract/documents.ts";
import { idOf } from "#provider/contract/fields.ts";
import type { WithdrawalReason } from "#provider/contract/withdrawal-reasons.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../../server/provider/failure.ts";
import type { Context } from "../../../server/request/router-context.ts";
import { getOffers } from "../../../server/sessions/current-user.ts";

/** The reasons to choose from in the dialog that withdraws a document; undefined for other dialogs. */
export async function readReasons(context: Context, dialog: string | null): Promise<WithdrawalReason[] | undefined> {
  if (dialog !== "exit" || !getOffers(context).withdrawalReasons) return undefined;
  return orUndefinedIfHidden(getProvider(context).listWithdrawalReasons());
}

export const exitForm = exitDocument.body;

/** With a reason, which pages ask for if the company has a list of them. */
const reasonedForm = exitForm.safeExtend({ reason: idOf(t("documents.withdrawal.chooseReason")) });

/** What to send with a withdrawal: nothing to a provider that knows no reasons. */
export async function exitSchema(context: Context) {
  if (!getOffers(context).withdrawalReasons) return z.object({});
  const reasons = await readReasons(context, "exit");
  return reasons?.length ? reasonedForm : exitForm;
}
