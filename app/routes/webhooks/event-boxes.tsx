import { t } from "#lib/messages/staff.ts";
import { webhookEvents } from "#provider/contract/webhook-events.ts";
import { ChoiceGroup } from "../../components/form/choice-group.tsx";
import type { FieldState } from "../../components/form/field.tsx";
import { eventWords } from "./webhook-words.ts";

/** The events that are sent to a webhook, as boxes to tick. */
export const EventBoxes = ({ field, chosen }: { field: FieldState; chosen: string[] }) => (
  <section className="form-section" aria-labelledby="events-heading">
    <div>
      <h2 id="events-heading">{t("common.events")}</h2>
      <p className="hint mt-1">{t("webhooks.eventBoxes.idsAlone")}</p>
    </div>
    <ChoiceGroup
      field={field}
      legend={t("webhooks.eventBoxes.sendWhen")}
      type="checkbox"
      options={webhookEvents.map((event) => ({ value: event, label: <EventLabel event={event} /> }))}
      chosen={chosen}
    />
  </section>
);

const EventLabel = ({ event }: { event: (typeof webhookEvents)[number] }) => (
  <span>
    {eventWords[event]}
    <small className="block text-muted">{event}</small>
  </span>
);
