import { t } from "#lib/messages/staff.ts";
import type { WebhookDelivery } from "#provider/contract/webhooks.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { showInstant } from "../../components/text/format.ts";
import { RowAction } from "../../components/list/row-action.tsx";
import type { Column } from "../../components/list/table.tsx";
import { DeliveryChip } from "./chips.tsx";
import { statusInWords } from "./webhook-words.ts";

export const deliveryColumns = (
  webhook: number,
  timeZone: string,
): Column<WebhookDelivery, SortOf<"listWebhookDeliveries">>[] => {
  const pageOf = (id: number) => `/webhooks/${webhook}/deliveries/${id}`;
  return [
    {
      label: t("webhooks.deliveryColumns.event"),
      cell: ({ id, event }) => (
        <a className="main" translate="no" href={pageOf(id)}>
          {event}
        </a>
      ),
    },
    {
      label: t("webhooks.deliveryColumns.happened"),
      sort: "created_at",
      cell: ({ created_at }) => showInstant(created_at, timeZone),
    },
    { label: t("common.state"), cell: ({ state }) => <DeliveryChip state={state} /> },
    {
      label: t("webhooks.deliveryColumns.lastAttempt"),
      cell: ({ status, tried_at }) =>
        tried_at && (
          <div>
            {statusInWords(status)}
            <small>{showInstant(tried_at, timeZone)}</small>
          </div>
        ),
    },
    {
      label: t("webhooks.deliveryColumns.nextAttempt"),
      cell: ({ next_at }) => (next_at ? showInstant(next_at, timeZone) : ""),
    },
    {
      label: t("common.action"),
      className: "act",
      cell: ({ id, event }) => (
        <RowAction
          to={pageOf(id)}
          verb={t("webhooks.deliveryColumns.open")}
          label={t("webhooks.deliveryColumns.openDelivery", { event, id })}
        />
      ),
    },
  ];
};
