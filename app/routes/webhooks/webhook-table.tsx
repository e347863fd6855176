import type { Webhook } from "#provider/contract/webhooks.ts";
import { showCount, showInstant } from "../../components/format.ts";
import { RowAction } from "../../components/row-action.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { WebhookChip } from "./chips.tsx";
import { hostOf } from "./webhook-words.ts";

type WebhookTableProps = { webhooks: Webhook[]; timeZone: string };

/** The company's webhooks, each with its state. */
export const WebhookTable = ({ webhooks, timeZone }: WebhookTableProps) => (
  <Table caption="Webhooks" rows={webhooks} columns={columns(timeZone)} keyOf={({ id }) => id} />
);

const columns = (timeZone: string): Column<Webhook>[] => [
  {
    label: "Name",
    cell: ({ id, name, url }) => (
      <div>
        <a className="main" href={`/webhooks/${id}`}>
          {name}
        </a>
        <small>{hostOf(url)}</small>
      </div>
    ),
  },
  { label: "State", cell: (webhook) => <WebhookChip {...webhook} /> },
  { label: "Events", cell: ({ events }) => showCount(events.length, "event") },
  { label: "Last delivered", cell: ({ succeeded_at }) => (succeeded_at ? showInstant(succeeded_at, timeZone) : "") },
  { label: "Waiting", cell: ({ waiting }) => waiting.toLocaleString("en-GB") },
  {
    label: "Actions",
    className: "act",
    cell: ({ id, name }) => (
      <>
        <RowAction to={`/webhooks/${id}`} verb="Deliveries" name={`of ${name}`} />
        <RowAction to={`/webhooks/${id}/edit`} verb="Edit" name={name} />
      </>
    ),
  },
];
