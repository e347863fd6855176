import { Link } from "react-router";
import { z } from "zod";
import { notedEvents } from "#provider/contract/webhook-events.ts";
import { replayFailedDeliveries, rotateWebhookKey } from "#provider/contract/webhooks.ts";
import { BackLink } from "../../components/back-link.tsx";
import { useDialog } from "../../components/dialog.tsx";
import { Empty } from "../../components/empty.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { formState } from "../../components/form-state.ts";
import { ListPanel } from "../../components/list-panel.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { parseListQuery, readList } from "../../server/lists/lists.ts";
import { actionHeaders, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { takeHandedLink } from "../../server/sessions/session.ts";
import type { Route } from "./+types/view";
import { changeWebhook } from "./change-webhook.server.ts";
import { deliveryColumns } from "./delivery-columns.tsx";
import { requireWebhooks } from "./require-webhooks.server.ts";
import { Secret } from "./secret.tsx";
import { SendTest, WebhookActs } from "./webhook-acts.tsx";
import { WebhookDialogs } from "./webhook-dialogs.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";
import { isEvent, stateCalled, stateWords } from "./webhook-words.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireWebhooks(context);
  const provider = getProvider(context);
  const query = parseListQuery(url, ["state", "event"], ["created_at"]);
  const state = stateCalled(query.filters.state);
  const event = isEvent(query.filters.event ?? "", notedEvents);
  const filters = { ...(state && { state }), ...(event && { event }) };
  const [webhook, part] = await Promise.all([
    provider.getWebhook({ params }),
    readList(provider, "listWebhookDeliveries", { ...query, filters }, { params }),
  ]);
  return { webhook, part, filters, handed: takeHandedLink(context), timeZone: timeZoneOf(getUser(context)) };
}

export const headers = actionHeaders;

export async function action({ request, context, params }: Route.ActionArgs) {
  requireWebhooks(context);
  const form = await readForm(request, rotateWebhookKey.body, replayFailedDeliveries.body, z.object({}));
  return changeWebhook(context, params, form);
}

/** A webhook: how it is, its keys and its deliveries. */
export default function WebhookView({ loaderData, actionData }: Route.ComponentProps) {
  const { webhook, part, filters, handed, timeZone } = loaderData;
  const { open } = useDialog();
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={webhook.name} hasErrors={summary.length > 0} />
      {!open && <ErrorSummary errors={summary} />}
      <BackLink to="/webhooks">Back to the webhooks</BackLink>
      <div className="page-head mt-1">
        <div className="min-w-0">
          <h1 className="wrap-anywhere">{webhook.name}</h1>
          <p className="lead wrap-anywhere">{webhook.url}</p>
        </div>
        <WebhookActs webhook={webhook} />
      </div>
      {handed && <Secret secret={handed.link} />}
      <WebhookFacts webhook={webhook} timeZone={timeZone} />
      <div className="page-head mt-6 mb-3">
        <h2>Deliveries</h2>
        {webhook.enabled && <SendTest />}
      </div>
      <ListPanel
        caption="Deliveries"
        part={part}
        columns={deliveryColumns(webhook.id, timeZone)}
        filters={filters}
        filterFields={filterFields}
        noMatch="No matching deliveries."
        emptyState={
          <Empty
            title="No deliveries yet"
            message="Each event is listed here for 30 days, with what was sent and what was answered."
          />
        }
      />
      <p className="mt-4">
        <Link className="link" to="/audit?entity=webhook">
          Changes of webhooks in the audit trail
        </Link>
      </p>
      <WebhookDialogs webhook={webhook} reply={actionData} />
    </>
  );
}

const filterFields = [
  { name: "state", label: "State", all: "All", choices: Object.values(stateWords) },
  { name: "event", label: "Event", all: "All", choices: [...notedEvents] },
];
