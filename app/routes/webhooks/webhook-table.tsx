import { t } from "#lib/messages/staff.ts";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { showInstant, showNumber } from "../../components/text/format.ts";
import { RowAction } from "../../components/list/row-action.tsx";
import { type Column, Table } from "../../components/list/table.tsx";
import { WebhookChip } from "./chips.tsx";
import { hostOf } from "./webhook-words.ts";

type WebhookTableProps = { webhooks: Webhook[]; timeZone: string };

/** The company's webhooks, each with its state. */
export const WebhookTable = ({ webhooks, timeZone }: WebhookTableProps) => (
  <Table caption={t("common.webhooks")} rows={webhooks} columns={columns(timeZone)} keyOf={({ id }) => id} />
);

const columns = (timeZone: string): Column<Webhook>[] => [
  {
    label: t("common.name"),
    cell: ({ id, name, url }) => (
      <div>
        <a className="main" translate="no" href={`/webhooks/${id}`}>
          {name}
        </a>
        <small>{hostOf(url)}</small>
      </div>
    ),
  },
  { label: t("common.state"), cell: (webhook) => <WebhookChip {...webhook} /> },
  { label: t("common.events"), cell: ({ events }) => t("webhooks.webhookTable.events", { count: events.length }) },
  {
    label: t("webhooks.webhookFacts.lastDelivered"),
    cell: ({ succeeded_at }) => (succeeded_at ? showInstant(succeeded_at, timeZone) : ""),
  },
  { label: t("common.waiting"), cell: ({ waiting }) => showNumber(waiting) },
  {
    label: t("common.actions"),
    className: "act",
    cell: ({ id, name }) => (
      <>
        <RowAction
          to={`/webhooks/${id}`}
          verb={t("common.deliveries")}
          label={t("webhooks.webhookTable.deliveriesOf", { name })}
        />
        <RowAction to={`/webhooks/${id}/edit`} verb={t("common.edit")} name={name} />
      </>
    ),
  },
];
