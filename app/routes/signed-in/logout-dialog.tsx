import { t } from "#lib/messages/staff.ts";
import { CloseLink, Dialog } from "../../components/dialog/dialog.tsx";
import { Form } from "../../components/form/form.tsx";
import { question } from "./logout-question.ts";

/** Asks before signing out, over whatever page is open. */
export default function LogoutDialog({ closeTo }: { closeTo: string }) {
  return (
    <Dialog title={t("common.logOut")} lead={<p>{question}</p>} closeTo={closeTo}>
      <Form method="post" action="/logout" className="modal-foot">
        <CloseLink to={closeTo} />
        <button type="submit" className="btn btn-primary">
          {t("common.logout")}
        </button>
      </Form>
    </Dialog>
  );
}
