import { t } from "#lib/messages/staff.ts";
import type { WebhookDelivery } from "#provider/contract/webhooks.ts";
import { Facts } from "../../components/record/facts.tsx";
import { showInstant } from "../../components/text/format.ts";
import { DeliveryChip } from "./chips.tsx";

type DeliveryFactsProps = { delivery: WebhookDelivery & { body: string }; timeZone: string };

/** A delivery's state, and the body that is sent. */
export const DeliveryFacts = ({ delivery, timeZone }: DeliveryFactsProps) => (
  <section className="panel mb-5 p-5 max-md:p-4" aria-label={t("webhooks.deliveryFacts.delivery")}>
    <Facts
      facts={[
        [t("common.state"), <DeliveryChip key="state" state={delivery.state} />],
        [t("webhooks.deliveryColumns.happened"), showInstant(delivery.created_at, timeZone)],
        [
          t("webhooks.deliveryFacts.id"),
          <span key="id" className="font-mono text-sm wrap-anywhere">
            {delivery.event_id}
          </span>,
        ],
        [t("webhooks.deliveryColumns.nextAttempt"), delivery.next_at ? showInstant(delivery.next_at, timeZone) : ""],
      ]}
    />
    <h2 className="mt-5 mb-2">{t("webhooks.deliveryFacts.body")}</h2>
    <pre className="font-mono text-sm wrap-anywhere whitespace-pre-wrap">{delivery.body}</pre>
  </section>
);
