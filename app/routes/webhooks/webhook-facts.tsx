import { TriangleAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { deliveryDays, maxDeliveries } from "#provider/contract/webhook-events.ts";
import type { Webhook } from "#provider/contract/webhooks.ts";
import { Facts } from "../../components/record/facts.tsx";
import { showInstant, showNumber } from "../../components/text/format.ts";
import { WebhookChip } from "./chips.tsx";
import { eventWords, reasonWords } from "./webhook-words.ts";

type WebhookFactsProps = { webhook: Webhook; timeZone: string };

/** A webhook's state, its events, and the key that verifies its deliveries. */
export function WebhookFacts({ webhook, timeZone }: WebhookFactsProps) {
  const { enabled, failures, events, succeeded_at, waiting, failed, public_key, earlier_key_until } = webhook;
  return (
    <>
      <Trouble webhook={webhook} timeZone={timeZone} />
      <section className="panel p-5 max-md:p-4" aria-label={t("webhooks.webhookFacts.webhook")}>
        <Facts
          facts={[
            [t("common.state"), <WebhookChip key="state" enabled={enabled} failures={failures} />],
            [
              t("webhooks.webhookFacts.lastDelivered"),
              succeeded_at ? showInstant(succeeded_at, timeZone) : t("webhooks.webhookFacts.nothingYet"),
            ],
            [t("common.waiting"), showNumber(waiting)],
            [t("webhooks.webhookWords.givenUp"), showNumber(failed)],
            [
              t("common.events"),
              <ul key="events">
                {events.map((event) => (
                  <li key={event}>{eventWords[event]}</li>
                ))}
              </ul>,
            ],
            [
              t("webhooks.webhookFacts.publicKey"),
              <div key="key">
                <span className="font-mono text-sm wrap-anywhere">
                  {public_key || t("webhooks.webhookFacts.noPublicKey")}
                </span>
                {earlier_key_until && (
                  <small className="block text-muted">
                    {t("webhooks.webhookFacts.earlierKeys", { at: showInstant(earlier_key_until, timeZone) })}
                  </small>
                )}
              </div>,
            ],
          ]}
        />
      </section>
    </>
  );
}

/** Why it is off, or since when nothing arrives, and what was lost. */
function Trouble({ webhook, timeZone }: WebhookFactsProps) {
  const { enabled, disabled_because, disabled_at, failing_since, failures, paused_until, dropped, dropped_at } =
    webhook;
  const at = (time: string | null) => (time ? showInstant(time, timeZone) : "");
  const sentences = [
    !enabled && disabled_because && t("webhooks.webhookFacts.offSince", { at: at(disabled_at) }),
    !enabled && disabled_because && reasonWords[disabled_because],
    !enabled && t("webhooks.webhookFacts.notNotedMeanwhile"),
    enabled && failing_since && t("webhooks.webhookFacts.failedSince", { count: failures, at: at(failing_since) }),
    enabled && failing_since && t("webhooks.webhookFacts.isTriedAgain"),
    enabled && paused_until && t("webhooks.webhookFacts.pausedUntil", { at: at(paused_until) }),
    dropped > 0 &&
      t("webhooks.webhookFacts.dropped", {
        count: dropped,
        at: at(dropped_at),
        max: maxDeliveries,
        days: deliveryDays,
      }),
  ].filter(Boolean);
  if (sentences.length === 0) return null;
  return (
    <section className="notice is-warn mb-4" aria-label={t("webhooks.webhookFacts.trouble")}>
      <TriangleAlert className="ico" />
      <p>{sentences.join(" ")}</p>
    </section>
  );
}
