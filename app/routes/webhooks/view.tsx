import { t } from "#lib/messages/staff.ts";
import { replayFailedDeliveries, rotateWebhookKey } from "#provider/contract/webhooks.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { useDialog } from "../../components/dialog/dialog.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, readForm } from "../../server/forms/forms.ts";
import { getUser, may, timeZoneOf } from "../../server/sessions/current-user.ts";
import { takeHandedLink } from "../../server/sessions/session.ts";
import type { Route } from "./+types/view";
import { changeWebhook } from "./change-webhook.server.ts";
import { Deliveries } from "./deliveries.tsx";
import { readWebhook } from "./read-webhook.server.ts";
import { requireWebhooks } from "./require-webhooks.server.ts";
import { Secret } from "./secret.tsx";
import { WebhookActs } from "./webhook-acts.tsx";
import { WebhookDialogs } from "./webhook-dialogs.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireWebhooks(context);
  const user = getUser(context);
  const webhookPage = await readWebhook(context, params, url);
  const seesAudit = may(user, "roles", "write");
  return { ...webhookPage, seesAudit, handed: takeHandedLink(context), timeZone: timeZoneOf(user) };
}

export const headers = actionHeaders;

export async function action({ request, context, params }: Route.ActionArgs) {
  requireWebhooks(context);
  return changeWebhook(context, params, await readForm(request, rotateWebhookKey.body, replayFailedDeliveries.body));
}

/** A webhook: its state, its keys and its deliveries. */
export default function WebhookView({ loaderData, actionData }: Route.ComponentProps) {
  const { webhook, handed, ...list } = loaderData;
  const { open } = useDialog();
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={webhook.name} hasErrors={summary.length > 0} />
      {!open && <ErrorSummary errors={summary} />}
      <BackLink to="/webhooks">{t("webhooks.list.backToTheWebhooks")}</BackLink>
      <div className="page-head mt-1">
        <div className="min-w-0">
          <h1 className="wrap-anywhere">{webhook.name}</h1>
          <p className="lead wrap-anywhere">{webhook.url}</p>
        </div>
        <WebhookActs webhook={webhook} />
      </div>
      {handed && <Secret secret={handed.link} />}
      <WebhookFacts webhook={webhook} timeZone={list.timeZone} />
      <Deliveries webhook={webhook} {...list} />
      <WebhookDialogs webhook={webhook} reply={actionData} />
    </>
  );
}
