import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { idOf } from "#provider/contract/fields.ts";
import {
  createWithdrawalReason,
  moveWithdrawalReason,
  updateWithdrawalReason,
} from "#provider/contract/withdrawal-reasons.ts";
import { type Fields, handleForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Context } from "../../server/request/router-context.ts";

const reason = idOf(t("settings.withdrawalReasons.chooseAReason"));
const changeForm = updateWithdrawalReason.body.safeExtend({ reason });
const moveForm = moveWithdrawalReason.body.safeExtend({ reason });
const removeForm = z.object({ reason });

/** What the page of withdrawal reasons and its dialogs send. */
export const withdrawalReasonForms = [changeForm, moveForm] as const;

/** Changes the company's withdrawal reasons, if a form of theirs was sent. */
export function changeWithdrawalReasons(context: Context, form: Fields) {
  const provider = getProvider(context);
  const leave = (notice: string) => redirectWithNotice(context, "/settings/withdrawal-reasons", notice);
  switch (form.get("intent")) {
    case "add-reason":
      return handleForm(form, {
        schema: createWithdrawalReason.body,
        async save(body) {
          const { name } = await provider.createWithdrawalReason({ body });
          return leave(t("common.nameWasAdded", { name }));
        },
      });
    case "change-reason":
      return handleForm(form, {
        schema: changeForm,
        async save({ reason: id, ...body }) {
          const { name } = await provider.updateWithdrawalReason({ params: { id: String(id) }, body });
          return leave(t("common.nameChangesSaved", { name }));
        },
      });
    case "move-reason":
      return handleForm(form, {
        schema: moveForm,
        async save({ reason: id, place }) {
          await provider.moveWithdrawalReason({ params: { id: String(id) }, body: { place } });
          return leave(t("settings.withdrawalReasons.theOrderWasChanged"));
        },
      });
    case "remove-reason":
      return handleForm(form, {
        schema: removeForm,
        async save({ reason: id }) {
          await provider.removeWithdrawalReason({ params: { id: String(id) } });
          return leave(t("settings.withdrawalReasons.theReasonWasRemoved"));
        },
      });
    default:
      return undefined;
  }
}
