import { Form } from "react-router";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog.tsx";
import type { SummaryError } from "../../components/error-summary.tsx";
import { VerdictPicture } from "../../components/verdict-picture.tsx";
import type { ActionQuestion } from "./action-question.server.ts";

type ActionDialogProps = { question: ActionQuestion; errors: SummaryError[]; closeTo: string };

/** Asks before a document's state changes, and shows what a scan will say afterwards. */
export default function ActionDialog({ question, errors, closeTo }: ActionDialogProps) {
  const { intent, title, effect, confirm, isSame, scan } = question;
  return (
    <Dialog
      title={title}
      lead={
        <>
          <DialogProblems errors={errors} />
          <p>{effect}</p>
          <p className="mt-3 mb-2 font-semibold">
            {isSame ? "A scan of its code says the same as before:" : "A scan of its code will say:"}
          </p>
          <VerdictPicture {...scan} />
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-primary" name="intent" value={intent}>
          {confirm}
        </button>
      </Form>
    </Dialog>
  );
}
