import { CircleCheck, CircleMinus, Clock, OctagonX, TriangleAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import type { DeliveryState } from "#provider/contract/webhook-events.ts";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { Chip, type Look } from "../../components/scan/chip.tsx";
import { stateWords } from "./webhook-words.ts";

const on: Look = { className: "is-ok", Icon: CircleCheck };
const failing: Look = { className: "is-warn", Icon: TriangleAlert };
const off: Look = { className: "is-idle", Icon: CircleMinus };

/** Whether a webhook is on, and whether that is of any use: never by colour alone. */
export function WebhookChip({ enabled, failures }: Pick<Webhook, "enabled" | "failures">) {
  if (!enabled) return <Chip look={off} word={t("webhooks.chips.off")} />;
  return failures > 0 ? (
    <Chip look={failing} word={t("webhooks.chips.failing")} />
  ) : (
    <Chip look={on} word={t("webhooks.chips.on")} />
  );
}

const states: Record<DeliveryState, Look> = {
  waiting: { className: "is-idle", Icon: Clock },
  delivered: on,
  failed: { className: "is-bad", Icon: OctagonX },
};

export const DeliveryChip = ({ state }: { state: DeliveryState }) => (
  <Chip look={states[state]} word={stateWords[state]} />
);
