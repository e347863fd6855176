import { Form } from "react-router";
import { z } from "zod";
import type { WebhookAttempt } from "#provider/contract/webhooks.ts";
import { BackLink } from "../../components/back-link.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { Facts } from "../../components/facts.tsx";
import { formState } from "../../components/form-state.ts";
import { showInstant } from "../../components/format.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/delivery";
import { DeliveryChip } from "./chips.tsx";
import { requireWebhooks } from "./require-webhooks.server.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  requireWebhooks(context);
  const provider = getProvider(context);
  const [webhook, delivery] = await Promise.all([
    provider.getWebhook({ params: { id: params.id } }),
    provider.getWebhookDelivery({ params }),
  ]);
  return { webhook, delivery, timeZone: timeZoneOf(getUser(context)) };
}

export const headers = actionHeaders;

const noFields = z.object({});

/** Sends it again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  requireWebhooks(context);
  return handleForm(await readForm(request, noFields), {
    schema: noFields,
    async save() {
      await getProvider(context).replayWebhookDelivery({ params });
      return redirectWithNotice(context, `/webhooks/${params.id}/deliveries/${params.n}`, "It is sent again");
    },
  });
}

export default function Delivery({ loaderData, actionData }: Route.ComponentProps) {
  const { webhook, delivery, timeZone } = loaderData;
  const { event, event_id, state, created_at, next_at, body, tries } = delivery;
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle title={`${event}, delivery ${delivery.id}`} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <BackLink to={`/webhooks/${webhook.id}`}>Back to {webhook.name}</BackLink>
      <div className="page-head mt-1">
        <h1 className="wrap-anywhere">{event}</h1>
        {webhook.enabled && (
          <Form method="post" className="page-acts" preventScrollReset>
            <button type="submit" className="btn btn-quiet" name="intent" value="replay">
              {state === "waiting" ? "Send now" : "Send again"}
            </button>
          </Form>
        )}
      </div>
      <section className="panel mb-5 p-5 max-md:p-4" aria-label="Delivery">
        <Facts
          facts={[
            ["State", <DeliveryChip key="state" state={state} />],
            ["Happened", showInstant(created_at, timeZone)],
            [
              "Id",
              <span key="id" className="font-mono text-sm wrap-anywhere">
                {event_id}
              </span>,
            ],
            ["Next attempt", next_at ? showInstant(next_at, timeZone) : ""],
          ]}
        />
        <h2 className="mt-5 mb-2">Body</h2>
        <pre className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">{body}</pre>
      </section>
      <section className="panel overflow-hidden" aria-labelledby="attempts">
        <h2 id="attempts" className="px-5 pt-4 pb-3 max-md:px-4">
          Attempts
        </h2>
        {tries.length > 0 ? (
          <Table
            caption="Attempts"
            rows={tries}
            columns={columns(timeZone)}
            keyOf={(one) => `${one.at} ${one.status}`}
          />
        ) : (
          <p className="px-5 pb-4 text-muted max-md:px-4">It was not tried yet.</p>
        )}
      </section>
    </>
  );
}

const columns = (timeZone: string): Column<WebhookAttempt>[] => [
  { label: "Time", cell: ({ at }) => showInstant(at, timeZone) },
  { label: "Status", cell: ({ status }) => status ?? "No reply" },
  {
    label: "Result",
    cell: ({ problem, reply }) => (
      <div>
        {problem || "Delivered"}
        {reply && <pre className="mt-1 font-mono text-sm wrap-anywhere whitespace-pre-wrap text-muted">{reply}</pre>}
      </div>
    ),
  },
  { label: "Took", cell: ({ milliseconds }) => `${milliseconds.toLocaleString("en-GB")} ms` },
];
