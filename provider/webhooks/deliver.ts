import { setTimeout as wait } from "node:timers/promises";
import type { Selectable } from "kysely";
import { metrics } from "#lib/metrics.ts";
import { secondsInMs } from "#lib/units.ts";
import { TRUE } from "../db/flags.ts";
import type { Db, Tables } from "../db/tables.ts";
import { SecretLocked } from "../secrets.ts";
import type { Services } from "../services.ts";
import { type HostAddress, hostRefused, HostRefused, resolveHost } from "./address.ts";
import { type Flight, slotsFor, type Waiting } from "./delivery-slots.ts";
import { signedHeaders, type SigningKey, signingKeys } from "./keys.ts";
import { post, type PostResult } from "./http-post.ts";
import { storeAttempt } from "./store-attempt.ts";

/** Sends due deliveries to webhooks, several at once, each as one attempt. */

type Delivery = Selectable<Tables["webhook_deliveries"]>;

/** How long what comes due waits at most while others are under way. */
const lookAgainMs = secondsInMs(1);
const defaultTimeoutMs = secondsInMs(15);

/** Sends due deliveries until none is left. Aborted ones are sent again under the same id. */
export async function deliverDue(services: Services, signal: AbortSignal) {
  const flights = new Map<Flight, Promise<void>>();
  const failures: unknown[] = [];
  for (;;) {
    const nextDeliveries =
      signal.aborted || failures.length > 0 ? [] : await nextFlights(services, [...flights.keys()]);
    for (const { flight, webhook, delivery } of nextDeliveries) {
      const work = attempt(services, webhook, delivery, signal)
        .catch((error: unknown) => void (signal.aborted || failures.push(error)))
        .finally(() => flights.delete(flight));
      flights.set(flight, work);
    }
    if (flights.size === 0) break;
    await firstOf([...flights.values()]);
  }
  // Without a stored outcome the same would be due again at once.
  if (failures.length > 0) throw failures[0];
}

/** Waits until one of them ends, or for a while. */
async function firstOf(work: Promise<void>[]) {
  const timer = new AbortController();
  const later = wait(lookAgainMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([...work, later]);
  timer.abort();
}

type Webhook = Waiting & { url: string };
type Begun = { flight: Flight; webhook: Webhook; delivery: Delivery };

async function nextFlights(services: Services, flights: Flight[]): Promise<Begun[]> {
  const at = services.now().toISOString();
  const waiting = await dueWebhooks(services.db, at);
  const room = slotsFor(waiting, flights);
  const deliveries: Begun[] = [];
  for (const webhook of waiting) {
    const underWay = flights.filter(({ id }) => id === webhook.id).map(({ delivery }) => delivery);
    const limit = room.get(webhook.id) ?? 0;
    if (limit === 0) continue;
    for (const delivery of await dueDeliveries(services.db, at, { webhook, underWay, limit })) {
      deliveries.push({ flight: { ...webhook, delivery: delivery.id }, webhook, delivery });
    }
  }
  return deliveries;
}

/** Webhooks that are on and have something due. */
async function dueWebhooks(db: Db, at: string): Promise<Webhook[]> {
  const rows = await db
    .selectFrom("webhooks")
    .innerJoin("companies", "companies.id", "webhooks.company_id")
    .where("companies.active", "=", TRUE)
    .where("enabled", "=", 1)
    .where((eb) => eb.or([eb("paused_until", "is", null), eb("paused_until", "<=", at)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("webhook_deliveries")
          .whereRef("webhook_id", "=", "webhooks.id")
          .where("state", "=", "waiting")
          .where("next_at", "<=", at)
          .select("webhook_deliveries.id"),
      ),
    )
    .orderBy("webhooks.id")
    .select(["webhooks.id", "company_id", "url", "failures"])
    .execute();
  return rows.map(({ failures, ...row }) => ({ ...row, isFailing: failures > 0 }));
}

type Due = { webhook: Webhook; underWay: number[]; limit: number };

async function dueDeliveries(db: Db, at: string, { webhook, underWay, limit }: Due): Promise<Delivery[]> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .where("webhook_id", "=", webhook.id)
    .where("state", "=", "waiting")
    .where("next_at", "<=", at)
    .orderBy("next_at")
    .orderBy("id")
    .limit(limit + underWay.length)
    .selectAll()
    .execute();
  return rows.filter(({ id }) => !underWay.includes(id)).slice(0, limit);
}

async function attempt(services: Services, webhook: Webhook, delivery: Delivery, signal: AbortSignal) {
  const at = services.now();
  const posted = await send(services, webhook, { delivery, at, signal });
  metrics.webhooks.inc({ outcome: posted.problem ? "failed" : "delivered" });
  await storeAttempt(services, { webhook, delivery, at, posted });
}

type Sending = { delivery: Delivery; at: Date; signal: AbortSignal };

async function send(services: Services, webhook: Webhook, { delivery, at, signal }: Sending): Promise<PostResult> {
  const { log, webhooks, publicUrl } = services;
  const url = new URL(webhook.url);
  let keys: SigningKey[];
  let addresses: HostAddress[];
  try {
    keys = await signingKeys(services, webhook.id);
    addresses = await resolveHost(url, webhooks);
  } catch (error) {
    if (error instanceof HostRefused) return unsent(hostRefused);
    if (!(error instanceof SecretLocked)) throw error;
    log.error({ webhook: webhook.id, reason: error.message }, "webhook keys can't be decrypted");
    return unsent(noKey);
  }
  if (keys.length === 0) return unsent(noKey);
  const { event_id: id, body } = delivery;
  const headers = { ...signedHeaders({ id, at, body }, keys), "user-agent": `Sealdesk (${publicUrl})` };
  const timeoutMs = webhooks.timeoutMs ?? defaultTimeoutMs;
  return post({ url, addresses }, { headers, body, timeoutMs, signal });
}

const noKey = "There is no key to sign with: make a new one";

const unsent = (problem: string): PostResult => ({ status: null, problem, reply: "", milliseconds: 0 });
