import { Pencil, Send } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { Form } from "../../components/form/form.tsx";

/** What can be done to a webhook. */
export function WebhookActs({ webhook: { id, enabled, failed } }: { webhook: Webhook }) {
  const { openTo } = useDialog();
  const dialog = (name: string, label: string) => (
    <Link className="btn btn-quiet" to={openTo(name)} preventScrollReset>
      {label}
    </Link>
  );
  return (
    <div className="page-acts flex flex-wrap gap-2">
      <Link className="btn btn-quiet" to={`/webhooks/${id}/edit`}>
        <Pencil className="ico" />
        {t("common.edit")}
      </Link>
      {dialog("rotate", t("webhooks.webhookActs.makeNewKeys"))}
      {enabled && failed > 0 && dialog("replay", t("common.sendAgain"))}
      {enabled ? (
        dialog("disable", t("webhooks.webhookActs.switchOff"))
      ) : (
        <Form method="post" preventScrollReset>
          <button type="submit" className="btn btn-primary" name="intent" value="enable">
            {t("webhooks.webhookActs.switchOn")}
          </button>
        </Form>
      )}
    </div>
  );
}

/** The button that sends a test event. */
export const SendTest = () => (
  <Form method="post" className="page-acts" preventScrollReset>
    <button type="submit" className="btn btn-quiet" name="intent" value="test">
      <Send className="ico" />
      {t("webhooks.webhookActs.sendTestEvent")}
    </button>
  </Form>
);
