import { daysInMs, minutesInMs } from "#lib/units.ts";
import type { CallName } from "../scim.ts";
import type { Event } from "../observation.ts";
import { hasJobs, idOf, isReal, issuedBy, isRetry, tally } from "./causes.ts";
import { bodyOf, type World } from "./world.ts";

/** Webhooks and mails by the acts that send them. */

type Seen = { world: World; events: readonly Event[]; at: Date };

const always = { began: 0, ended: Infinity };

/** After which an attempt that failed is repeated (docs/webhooks.md, "Delivery"), each a fifth more or less. */
const retryMinutes = [0.5, 5, 30, 120, 300, 600];

const webhookTypes: Partial<Record<CallName, string>> = {
  storeDocument: "document.issued",
  releaseDraft: "document.issued",
  exitDocument: "document.withdrawn",
  archiveDocument: "document.archived",
};

/** Each change has one event under one id for each webhook that wants it; it may be sent more than once. */
export function* countWebhooks({ world, events, at }: Seen): Iterable<string> {
  const sent = new Map<string, Set<string>>();
  const bodies = new Map<string, string>();
  const last = new Map<string, { at: Date; url: string; attempts: number; isAnswered: boolean }>();
  const replays = world.changes.filter(({ call }) => call.startsWith("replay"));
  const isCalm = (at: Date) => replays.length === 0 && !world.isNearFault(at);
  for (const event of events) {
    if (event.kind !== "webhook") continue;
    const { at: tried, url, body, id, isAnswered } = event;
    const { isAnswered: isTaken = false, attempts = 0 } = last.get(id + url) ?? {};
    if (isTaken && isCalm(tried)) yield `P-23: webhook ${id} was sent again though ${url} had taken it`;
    last.set(id + url, { at: tried, url, attempts: attempts + 1, isAnswered: isAnswered || isTaken });
    const text = JSON.stringify(body);
    if (bodies.get(id + url) !== undefined && bodies.get(id + url) !== text)
      yield `P-23: webhook ${id} came with two bodies`;
    bodies.set(id + url, text);
    const key = `${url} ${body.type} ${body.data.document_id}`;
    if (Object.values(webhookTypes).includes(body.type)) sent.set(key, (sent.get(key) ?? new Set()).add(id));
  }
  const causes = world.changes.flatMap((observation): [string, boolean][] => {
    const type = isRetry(world, observation) ? undefined : webhookTypes[observation.call];
    const id = type === "document.issued" ? issuedBy(observation) : idOf(observation);
    if (id === undefined) return [];
    const hooks = type && observation.by.company ? world.everything("webhook", observation.by.company) : [];
    return hooks.map((hook) => {
      const then = world.during("webhook", hook.id, observation);
      const isWanted = then.length > 0 && then.every((value) => value?.enabled && [value.events].flat().includes(type));
      return [`${hook.url} ${type} ${id}`, isWanted && isReal(world, observation)];
    });
  });
  const tallies = tally(causes);
  for (const [key, { least }] of tallies) {
    const ids = sent.get(key)?.size ?? 0;
    if (ids < least) yield `P-23: ${ids} of ${least} webhooks were sent: ${key}`;
  }
  const enabled = world
    .everything("webhook")
    .filter(({ id }) => world.during("webhook", id, world.rest).every((hook) => hook?.enabled));
  for (const [id, { at: tried, url, attempts, isAnswered }] of last) {
    const due = tried.getTime() + minutesInMs(1.2 * (retryMinutes[attempts - 1] ?? Infinity)) + minutesInMs(1);
    const isEnabled = enabled.some((hook) => hook.url === url);
    // A backup has no deliveries.
    const isKept = world.restores.every((to) => to < tried);
    if (!isAnswered && due < at.getTime() && isEnabled && isKept && isCalm(tried))
      yield `P-23: webhook ${id} was not sent again`;
  }
  const owners = new Map(world.everything("webhook").map(({ url, company }) => [url, company]));
  for (const [key, ids] of sent) {
    const most = tallies.get(key)?.most;
    if (hasJobs(world, owners.get(key.split(" ")[0]) ?? "")) continue;
    if (most !== undefined && ids.size > most) yield `P-23: ${ids.size} webhooks were sent for ${most} acts: ${key}`;
  }
}

/** No mail comes twice; who is added without a password is invited. */
export function* countMails({ world, events }: Seen): Iterable<string> {
  const seen = new Map<string, Event & { kind: "mail" }>();
  const receivers = new Set<string>();
  for (const event of events) {
    if (event.kind !== "mail") continue;
    receivers.add(event.to.toLowerCase());
    const reminded = [...event.text.matchAll(/\/documents\/\d+\?dialog=prolong/g)].map(([link]) => link);
    for (const what of [`${event.subject} ${event.text}`, ...reminded]) {
      const earlier = seen.get(`${event.to} ${what}`);
      const isResent = earlier?.id === event.id && !earlier.isAnswered;
      const isSoon = earlier && event.at.getTime() - earlier.at.getTime() < daysInMs(1);
      if (isSoon && !isResent && !world.isNearFault(event.at)) yield `P-24: ${event.to} got “${event.subject}” twice`;
      seen.set(`${event.to} ${what}`, event);
    }
  }
  for (const observation of world.changes) {
    const { call, reply } = observation;
    const { email, password } = bodyOf(observation);
    if (call !== "createUser" || reply === "lost" || password || receivers.has(String(email).toLowerCase())) continue;
    // What waits for somebody who is removed is not sent.
    const isStill = world.during("user", reply.json.id, always).every((user) => user?.active !== false);
    if (isStill) yield `P-24: ${email} was added, and not invited`;
  }
}
