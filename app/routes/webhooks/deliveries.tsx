import { Link } from "react-router";
import { notedEvents } from "#provider/contract/webhook-events.ts";
import type { Webhook, WebhookDelivery } from "#provider/contract/webhooks.ts";
import { Empty } from "../../components/empty.tsx";
import { ListPanel } from "../../components/list-panel.tsx";
import type { Paged } from "../../components/pagination.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { SendTest } from "./webhook-acts.tsx";
import { stateWords } from "./webhook-words.ts";

type DeliveriesProps = {
  webhook: Webhook;
  part: Paged & { rows: WebhookDelivery[] };
  filters: Record<string, string>;
  timeZone: string;
  seesAudit: boolean;
};

/** A webhook's deliveries, and the button that makes one. */
export const Deliveries = ({ webhook, part, filters, timeZone, seesAudit }: DeliveriesProps) => (
  <>
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
    {seesAudit && (
      <p className="mt-4">
        <Link className="link" to="/audit?entity=webhook">
          Changes of webhooks in the audit trail
        </Link>
      </p>
    )}
  </>
);

const filterFields = [
  { name: "state", label: "State", all: "All", choices: Object.values(stateWords) },
  { name: "event", label: "Event", all: "All", choices: [...notedEvents] },
];
