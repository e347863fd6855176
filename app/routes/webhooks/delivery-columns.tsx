import type { WebhookDelivery } from "#provider/contract/webhooks.ts";
import { showInstant } from "../../components/format.ts";
import { RowAction } from "../../components/row-action.tsx";
import type { Column } from "../../components/table.tsx";
import { DeliveryChip } from "./chips.tsx";
import { statusInWords } from "./webhook-words.ts";

export const deliveryColumns = (webhook: number, timeZone: string): Column<WebhookDelivery>[] => {
  const pageOf = (id: number) => `/webhooks/${webhook}/deliveries/${id}`;
  return [
    {
      label: "Event",
      cell: ({ id, event }) => (
        <a className="main" href={pageOf(id)}>
          {event}
        </a>
      ),
    },
    { label: "Happened", sort: "created_at", cell: ({ created_at }) => showInstant(created_at, timeZone) },
    { label: "State", cell: ({ state }) => <DeliveryChip state={state} /> },
    {
      label: "Last attempt",
      cell: ({ status, tried_at }) =>
        tried_at && (
          <div>
            {statusInWords(status)}
            <small>{showInstant(tried_at, timeZone)}</small>
          </div>
        ),
    },
    { label: "Next attempt", cell: ({ next_at }) => (next_at ? showInstant(next_at, timeZone) : "") },
    {
      label: "Action",
      className: "act",
      cell: ({ id, event }) => <RowAction to={pageOf(id)} verb="Open" name={`${event}, delivery ${id}`} />,
    },
  ];
};
