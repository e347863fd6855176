import { t } from "#lib/messages/staff.ts";
import { CloseLink, Dialog } from "../../components/dialog/dialog.tsx";
import { Form } from "../../components/form/form.tsx";
import { removeCommentDialog } from "./comment-dialog.ts";

/** Confirms that a user's own comment is to be removed. */
export default ({ comment, closeTo }: { comment: { id: number; text: string; at: string }; closeTo: string }) => (
  <Dialog
    title={t("alerts.removeCommentDialog.title")}
    lead={
      <>
        <p>{t("alerts.removeCommentDialog.effect", { at: comment.at })}</p>
        <blockquote className="mt-3 max-h-48 overflow-y-auto wrap-anywhere whitespace-pre-line">
          {comment.text}
        </blockquote>
      </>
    }
    closeTo={closeTo}
  >
    <Form method="post" action={closeTo} className="modal-foot">
      <input type="hidden" name="comment" value={comment.id} />
      <CloseLink to={closeTo} />
      <button type="submit" className="btn btn-error" name="intent" value={removeCommentDialog}>
        {t("alerts.removeCommentDialog.confirm")}
      </button>
    </Form>
  </Dialog>
);
