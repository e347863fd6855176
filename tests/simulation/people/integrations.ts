import { Lost } from "../process.ts";
import { draftOf, pages } from "./drafts.ts";
import { draftForm } from "../../fixtures/forms.ts";
import type { Habit, Visitor } from "./visitor.ts";

/** Programs of the company, with API keys of the deputy and webhooks. */

/** The deputy makes a key for the company's program. */
export const getKey: Habit = async (visitor) => {
  const { company } = visitor;
  const deputy = company.people.find(({ email }) => email.startsWith("deputy@"))!;
  Object.assign(visitor.me, deputy);
  const body = { name: "Ledger", expires_on: visitor.day(200), scope: "write", areas: ["docs", "alerts"] };
  const { status, json } = await visitor.call("createOwnKey", { body });
  if (status === 201) company.apiKeys.push({ name: "Ledger", token: json.key });
};

/** Issues with an idempotency key, and sends it again until a reply comes. */
export const integrate: Habit = async (visitor) => {
  const { company, choices } = visitor;
  const [key] = company.apiKeys;
  const deputy = company.people.find(({ email }) => email.startsWith("deputy@"))!;
  if (!key) return;
  Object.assign(visitor.me, { ...deputy, person: { ...deputy.person, name: key.name } });
  const fields = draftOf(visitor);
  const headers = {
    "Idempotency-Key": `order ${((company.apiKeys as any).orders = ((company.apiKeys as any).orders ?? 0) + 1)}`,
  };
  const send = () =>
    visitor.as(key, "storeDocument", {
      body: draftForm(fields, pages()),
      headers,
      isApi: true,
    });
  for (let tries = 0; tries < 3; tries++) {
    try {
      const { status, json } = await send();
      if (status === 201 && json.id) company.papers.push(json);
      if (status < 500) break;
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }
  if (choices.happens(0.2)) await send();
};

const events = ["document.issued", "document.withdrawn", "document.expired", "alert.raised"];
/** Each of them has an address of their own. */
const hookOf = ({ me, company }: Visitor) => ({
  name: "Ledger",
  url: `https://${company.key}.example/${me.email.split("@")[0]}/${(me.memory.hooks = (me.memory.hooks ?? 0) + 1)}`,
  events,
});

/** Saves a webhook's form again and again, in three tabs. */
export const renameHook: Habit = async (visitor) => {
  const [webhook] = await visitor.rows("listWebhooks");
  if (!webhook) return hooks(visitor);
  const { id, url } = webhook;
  const save = (n: number) =>
    visitor.call("updateWebhook", { params: { id }, body: { name: `Ledger ${n}`, url, events } });
  for (const n of [1, 4, 7, 10]) await Promise.allSettled([save(n), save(n + 1), save(n + 2)]);
};

/** The administrator watches documents by a webhook, and turns it off and on. */
export const hooks: Habit = async (visitor) => {
  const [webhook] = await visitor.rows("listWebhooks");
  const body = hookOf(visitor);
  if (!webhook) return void (await visitor.call("createWebhook", { body }));
  const act = visitor.pick(["testWebhook", "disableWebhook", "enableWebhook"] as const)!;
  await visitor.call(act, { params: { id: webhook.id } });
};
