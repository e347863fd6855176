import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { addComment } from "#provider/contract/alert-cases.ts";
import { type Alert, assignAlert, completeAlert, reopenAlert } from "#provider/contract/alerts.ts";
import { type Fields, handleForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import { removeCommentDialog } from "./comment-dialog.ts";

/** The forms of an alert's page. */

const removeCommentForm = z.object({ comment: z.string().max(20) });

export const alertForms = [completeAlert.body, reopenAlert.body, assignAlert.body, addComment.body, removeCommentForm];

const assigned = ({ number, owner }: Alert) =>
  owner ? t("alerts.saveAlert.assignedTo", { number, owner }) : t("alerts.saveAlert.givenBack", { number });

/** Saves what the pressed button stands for; completes the alert if it is none of the others. */
export function saveAlert(context: Context, params: { id: string }, form: Fields) {
  const provider = getProvider(context);
  const page = `/alerts/${params.id}`;
  const leave = (notice: string) => redirectWithNotice(context, page, notice);
  switch (form.get("intent")) {
    case "assign":
      return handleForm(form, {
        schema: assignAlert.body,
        async save(body) {
          return leave(assigned(await provider.assignAlert({ params, body })));
        },
      });
    case "reopen":
      return handleForm(form, {
        schema: reopenAlert.body,
        async save(body) {
          const { number } = await provider.reopenAlert({ params, body });
          return leave(t("alerts.saveAlert.reopened", { number }));
        },
      });
    case "comment":
      return handleForm(form, {
        schema: addComment.body,
        async save(body) {
          const { notified } = await provider.addComment({ params, body });
          return redirectWithNotice(
            context,
            `${page}#comments`,
            notified.length > 0
              ? t("alerts.saveAlert.commentAddedAndSent", { names: notified.join(", ") })
              : t("alerts.saveAlert.commentAdded"),
          );
        },
      });
    case removeCommentDialog:
      return handleForm(form, {
        schema: removeCommentForm,
        async save({ comment: n }) {
          await provider.removeComment({ params: { ...params, n } });
          return redirectWithNotice(context, `${page}#comments`, t("alerts.saveAlert.theCommentWasRemoved"));
        },
      });
    default:
      return handleForm(form, {
        schema: completeAlert.body,
        async save(body) {
          const { number } = await provider.completeAlert({ params, body });
          return leave(t("alerts.saveAlert.completed", { number }));
        },
      });
  }
}
