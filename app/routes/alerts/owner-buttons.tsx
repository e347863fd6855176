import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { Form } from "../../components/form/form.tsx";

type OwnerButtonsProps = { alert: Alert; userId: number; assignAt: string };

/** Takes an open alert, gives it back, or opens the dialog that assigns it. */
export function OwnerButtons({ alert, userId, assignAt }: OwnerButtonsProps) {
  const isOwn = alert.owner_id === userId;
  return (
    <>
      <Form method="post">
        <input type="hidden" name="owner" value={isOwn ? "" : "me"} />
        <button type="submit" className="btn btn-quiet" name="intent" value="assign">
          {isOwn ? t("alerts.ownerButtons.giveBack") : t("alerts.ownerButtons.take")}
        </button>
      </Form>
      <Link className="btn btn-quiet" to={assignAt} preventScrollReset>
        {t("common.assign")}
      </Link>
    </>
  );
}
