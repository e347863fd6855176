import { z } from "zod";
import { t } from "#lib/messages/staff.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { ErrorSummary } from "../../components/form/error-summary.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { actionHeaders, handleForm, readForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { redirectWithNotice } from "../../server/sessions/session.ts";
import type { Route } from "./+types/delivery";
import { Attempts } from "./attempts.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { requireWebhooks } from "./require-webhooks.server.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  requireWebhooks(context);
  const provider = getProvider(context);
  const [webhook, delivery] = await Promise.all([
    provider.getWebhook({ params }),
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
      return redirectWithNotice(
        context,
        `/webhooks/${params.id}/deliveries/${params.n}`,
        t("webhooks.delivery.itIsSentAgain"),
      );
    },
  });
}

export default function Delivery({ loaderData, actionData }: Route.ComponentProps) {
  const { webhook, delivery, timeZone } = loaderData;
  const { summary } = formState({}, actionData);
  return (
    <>
      <PageTitle
        title={t("webhooks.delivery.title", { event: delivery.event, id: delivery.id })}
        hasErrors={summary.length > 0}
      />
      <ErrorSummary errors={summary} />
      <BackLink to={`/webhooks/${webhook.id}`}>{t("common.backToName", { name: webhook.name })}</BackLink>
      <div className="page-head mt-1">
        <h1 className="wrap-anywhere">{delivery.event}</h1>
        {webhook.enabled && (
          <Form method="post" className="page-acts" preventScrollReset>
            <button type="submit" className="btn btn-quiet">
              {delivery.state === "waiting" ? t("webhooks.delivery.sendNow") : t("common.sendAgain")}
            </button>
          </Form>
        )}
      </div>
      <DeliveryFacts delivery={delivery} timeZone={timeZone} />
      <Attempts tries={delivery.tries} timeZone={timeZone} />
    </>
  );
}
