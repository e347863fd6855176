import { Link } from "react-router";
import { say } from "#lib/messages/staff.ts";
import { deliveryDays, notedEvents } from "#provider/contract/webhook-events.ts";
import type { Webhook, WebhookDelivery } from "#provider/contract/webhooks.ts";
import { Empty } from "../../components/list/empty.tsx";
import { ListPanel } from "../../components/list/list-panel.tsx";
import type { Paged } from "../../components/list/pagination.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { SendTest } from "./webhook-acts.tsx";
import { stateChoices } from "./webhook-words.ts";

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
      <h2>{say("common.deliveries")}</h2>
      {webhook.enabled && <SendTest />}
    </div>
    <ListPanel
      caption={say("common.deliveries")}
      part={part}
      columns={deliveryColumns(webhook.id, timeZone)}
      filters={filters}
      filterFields={filterFields}
      noMatch={say("webhooks.deliveries.noMatch")}
      emptyState={
        <Empty
          title={say("webhooks.deliveries.noDeliveriesYet")}
          message={say("webhooks.deliveries.listedFor", { days: deliveryDays })}
        />
      }
    />
    {seesAudit && (
      <p className="mt-4">
        <Link className="link" to="/audit?entity=webhook">
          {say("webhooks.deliveries.auditTrailLink")}
        </Link>
      </p>
    )}
  </>
);

const filterFields = [
  { name: "state", label: say("common.state"), all: say("common.all"), choices: stateChoices },
  { name: "event", label: say("webhooks.deliveryColumns.event"), all: say("common.all"), choices: [...notedEvents] },
];
