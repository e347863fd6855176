import { fold } from "#lib/text.ts";
import type { Caller } from "../access.ts";
import { maxWebhooks, type WebhookEvent } from "../contract/webhook-events.ts";
import { audit, deactivated, staleConflict, type Values } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { addressProblem, hostRefused, HostRefused, resolveHost } from "./address.ts";
import { offSince, webhookSubject } from "./disable.ts";
import { insertKey, replaceKey } from "./keys.ts";
import { eventsOf, findWebhook } from "./webhook-queries.ts";

/** Adding, changing and removing webhooks. Each is one transaction with its audit entry. */

type WebhookInput = { name: string; url: string; events: WebhookEvent[] };

/** The address as it is stored. Throws 422 for one that can't be a webhook's. */
async function readAddress({ webhooks }: Pick<Services, "webhooks">, address: string): Promise<string> {
  const problem = addressProblem(address, webhooks);
  if (problem) throw invalid({ url: problem });
  const url = new URL(address);
  await resolveHost(url, webhooks).catch((error: unknown) => {
    throw error instanceof HostRefused ? invalid({ url: `${hostRefused}: check the address` }) : error;
  });
  return url.href;
}

/** Adds a webhook and returns its id and keys. Throws 409 if there are too many, 422 for a name that another one has. */
export async function addWebhook(services: Services, caller: Caller, input: WebhookInput) {
  const url = await readAddress(services, input.url);
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    const others = await namesOf(transaction, actor.company_id);
    if (others.length >= maxWebhooks) throw conflict(`A company can have ${maxWebhooks} webhooks: remove one first`);
    requireFreeName(others, input.name);
    const at = services.now();
    const row = { ...columnsOf({ ...input, url }), company_id: actor.company_id, enabled: 1, version: 1 };
    const { id } = await transaction
      .insertInto("webhooks")
      .values({ ...row, created_at: at.toISOString() })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { secret, publicKey } = await insertKey(transaction, services, id);
    const after = audited({ ...input, url });
    await audit(transaction, { actor, action: "added", subject: webhookSubject(id), at, after });
    return { id, secret, public_key: publicKey };
  });
}

type Change = WebhookInput & { version?: number | undefined };

/** Changes a webhook. Throws 404, 409 for an outdated version, and 422 by field. */
export async function changeWebhook(services: Services, caller: Caller, id: number, { version, ...input }: Change) {
  const url = await readAddress(services, input.url);
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findWebhook(transaction, actor, id);
    if (version !== undefined && version !== before.version) {
      throw await staleConflict(transaction, actor, "webhook", id);
    }
    const others = await namesOf(transaction, actor.company_id);
    requireFreeName(
      others.filter((other) => other.id !== id),
      input.name,
    );
    const columns = columnsOf({ ...input, url });
    await update(transaction, id, { ...columns, version: before.version + 1 });
    const change = {
      before: audited({ ...before, events: eventsOf(before) }),
      after: { ...audited({ ...input, url }), ...(url !== before.url && { address: "a new one" }) },
    };
    await audit(transaction, { actor, action: "changed", subject: webhookSubject(id), at: services.now(), ...change });
  });
}

/** Removes a webhook with its keys and deliveries. Throws 404. */
export const removeWebhook = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    await findWebhook(transaction, actor, id);
    await transaction.deleteFrom("webhooks").where("id", "=", id).execute();
    const at = services.now();
    await audit(transaction, { actor, action: "removed", subject: webhookSubject(id), at, ...deactivated });
  });

/** Switches a webhook on, and has what waits sent at once. Throws 409 without a key. */
export async function enableWebhook(services: Services, caller: Caller, id: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const { enabled, disabled_because, version } = await findWebhook(transaction, actor, id);
    if (enabled) return;
    const keys = transaction
      .selectFrom("webhook_keys")
      .where("webhook_id", "=", id)
      .where("private_key", "is not", null);
    if (!(await keys.select("id").executeTakeFirst()))
      throw conflict("It has no key to sign with: make a new one first");
    const at = services.now();
    const on = { enabled: 1, disabled_because: "" as const, disabled_at: null, failures: 0, failing_since: null };
    await update(transaction, id, { ...on, version: version + 1 });
    const due = transaction.updateTable("webhook_deliveries").set({ next_at: at.toISOString() });
    await due.where("webhook_id", "=", id).where("state", "=", "waiting").execute();
    const change = {
      before: { enabled: false, disabled_because },
      after: { enabled: true, disabled_because: "" },
    };
    await audit(transaction, { actor, action: "changed", subject: webhookSubject(id), at, ...change });
  });
  services.nudgeWebhooks?.();
}

/** Switches a webhook off, if it is on. Throws 404. */
export const disableWebhook = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const { enabled, version } = await findWebhook(transaction, actor, id);
    if (!enabled) return;
    const at = services.now();
    await update(transaction, id, { ...offSince("user", at), version: version + 1 });
    const change = { before: { enabled: true }, after: { enabled: false, disabled_because: "user" } };
    await audit(transaction, { actor, action: "changed", subject: webhookSubject(id), at, ...change });
  });

/** Makes new keys, whose secret is shown only now. Throws 404. */
export const rotateKey = (services: Services, caller: Caller, id: number, { at_once }: { at_once: boolean }) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    await findWebhook(transaction, actor, id);
    const { secret, publicKey } = await replaceKey(transaction, services, id, { atOnce: at_once });
    const after = { key: at_once ? "a new one, at once" : "a new one" };
    await audit(transaction, { actor, action: "changed", subject: webhookSubject(id), at: services.now(), after });
    return { id, secret, public_key: publicKey };
  });

const namesOf = (db: Db, companyId: number) =>
  db.selectFrom("webhooks").where("company_id", "=", companyId).select(["id", "name"]).execute();

function requireFreeName(others: { name: string }[], name: string) {
  if (others.some((other) => fold(other.name) === fold(name))) {
    throw invalid({ name: "There is already a webhook with this name: enter another" });
  }
}

const columnsOf = ({ name, url, events }: WebhookInput) => ({ name, url, events: JSON.stringify(events) });

const update = (db: Db, id: number, columns: object) =>
  db.updateTable("webhooks").set(columns).where("id", "=", id).execute();

/** Of the address the origin alone: the rest can be a secret. */
const audited = ({ name, url, events }: WebhookInput): Values => ({
  name,
  url: new URL(url).origin,
  events: events.join(", "),
});
