import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
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
      <h2>{t("common.deliveries")}</h2>
      {webhook.enabled && <SendTest />}
    </div>
    <ListPanel
      caption={t("common.deliveries")}
      part={part}
      columns={deliveryColumns(webhook.id, timeZone)}
      filters={filters}
      filterFields={filterFields}
      noMatch={t("webhooks.deliveries.noMatch")}
      emptyState={
        <Empty
          title={t("webhooks.deliveries.noDeliveriesYet")}
          message={t("webhooks.deliveries.listedFor", { days: deliveryDays })}
        />
      }
    />
    {seesAudit && (
      <p className="mt-4">
        <Link className="link" to="/audit?entity=webhook">
          {t("webhooks.deliveries.auditTrailLink")}
        </Link>
      </p>
    )}
  </>
);

const filterFields = [
  { name: "state", label: t("common.state"), all: t("common.all"), choices: stateChoices },
  { name: "event", label: t("webhooks.deliveryColumns.event"), all: t("common.all"), choices: [...notedEvents] },
];
