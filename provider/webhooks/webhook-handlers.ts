import * as webhooks from "../contract/webhooks.ts";
import { readList } from "../db/lists.ts";
import type { On } from "../http/endpoint.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { listReply } from "../http/replies.ts";
import type { Services } from "../services.ts";
import * as change from "./change-webhook.ts";
import { deliveriesOf, deliveryReply, findWebhook, webhookReply, webhooksOf } from "./webhook-queries.ts";
import { replay, replayFailed, sendTest } from "./replay.ts";

const columns = { created_at: "webhook_deliveries.id" };

/** Webhooks and their deliveries. */
export function serveWebhooks(on: On, services: Services) {
  const { db, now } = services;
  // Limits the requests to others' servers and to the resolver that a company's users cause.
  const addresses = limitByKey(services, "webhook_addresses", "You have saved many addresses");
  const tests = limitByKey(services, "webhook_tests", "You have sent many test events");
  const replays = limitByKey(services, "webhook_replays", "You have sent much again");
  const companyOf = ({ company_id }: { company_id: number }) => String(company_id);

  on(webhooks.listWebhooks, ({ actor }) => webhooksOf(db, actor.company_id, now()));
  on(webhooks.getWebhook, ({ actor, params }) => webhookReply(db, actor.company_id, params.id, now()));
  on(webhooks.createWebhook, async ({ actor, caller, body }) => {
    await addresses.count(companyOf(actor));
    return change.addWebhook(services, caller, body);
  });
  on(webhooks.updateWebhook, async ({ actor, caller, params, body }) => {
    await findWebhook(db, actor, params.id);
    await addresses.count(companyOf(actor));
    await change.changeWebhook(services, caller, params.id, body);
    return webhookReply(db, actor.company_id, params.id, now());
  });
  on(webhooks.removeWebhook, ({ caller, params }) => change.removeWebhook(services, caller, params.id));
  on(webhooks.enableWebhook, ({ caller, params }) => change.enableWebhook(services, caller, params.id));
  on(webhooks.disableWebhook, ({ caller, params }) => change.disableWebhook(services, caller, params.id));
  on(webhooks.rotateWebhookKey, ({ caller, params, body }) => change.rotateKey(services, caller, params.id, body));
  on(webhooks.testWebhook, async ({ actor, caller, params }) => {
    await findWebhook(db, actor, params.id);
    await tests.count(companyOf(actor));
    return { id: await sendTest(services, caller, params.id) };
  });

  on(webhooks.listWebhookDeliveries, async ({ actor, params, query }) => {
    const { id } = await findWebhook(db, actor, params.id);
    let matches = deliveriesOf(db, id);
    if (query.state) matches = matches.where("state", "=", query.state);
    if (query.event) matches = matches.where("event", "=", query.event);
    const order = { first: "-created_at", last: "webhook_deliveries.id" } as const;
    const { rows, total } = await readList(matches, query, columns, order);
    return listReply(rows, total);
  });
  on(webhooks.getWebhookDelivery, async ({ actor, params }) => {
    const { id } = await findWebhook(db, actor, params.id);
    return deliveryReply(db, id, params.n);
  });
  on(webhooks.replayWebhookDelivery, async ({ actor, caller, params }) => {
    await findWebhook(db, actor, params.id);
    await replays.count(companyOf(actor));
    await replay(services, caller, params);
  });
  on(webhooks.replayFailedDeliveries, async ({ actor, caller, params, body }) => {
    await findWebhook(db, actor, params.id);
    await replays.count(companyOf(actor));
    return { count: await replayFailed(services, caller, params.id, body.since) };
  });
}
