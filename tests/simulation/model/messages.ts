import { daysInMs } from "#lib/units.ts";
import type { CallName } from "../scim.ts";
import type { Event } from "../observation.ts";
import { hasJobs, idOf, isReal, isRetry, tally } from "./causes.ts";
import { bodyOf, type World } from "./world.ts";

/** Webhooks and mails by the acts that send them. */

const webhookTypes: Partial<Record<CallName, string>> = {
  storeDocument: "document.issued",
  exitDocument: "document.withdrawn",
  archiveDocument: "document.archived",
};

/** Each change has one event under one id for each webhook that wants it; it may be sent more than once. */
export function* countWebhooks({ world, events }: { world: World; events: readonly Event[] }): Iterable<string> {
  const sent = new Map<string, Set<string>>();
  const bodies = new Map<string, string>();
  const failing = new Set<string>();
  const came = new Set<string>();
  const replays = world.changes.filter(({ call }) => call.startsWith("replay"));
  const isCalm = (at: Date) => replays.length === 0 && !world.isNearFault(at);
  for (const event of events) {
    if (event.kind !== "webhook") continue;
    const { url, body, id, delivered } = event;
    if (!delivered) failing.add(url);
    if (came.has(id + url) && isCalm(event.at)) yield `P-23: webhook ${id} was sent again though ${url} had taken it`;
    if (delivered) came.add(id + url);
    const text = JSON.stringify(body);
    if (bodies.get(id + url) !== undefined && bodies.get(id + url) !== text)
      yield `P-23: webhook ${id} came with two bodies`;
    bodies.set(id + url, text);
    const key = `${url} ${body.type} ${body.data.document_id}`;
    if (Object.values(webhookTypes).includes(body.type)) sent.set(key, (sent.get(key) ?? new Set()).add(id));
  }
  const causes = world.changes.flatMap((observation): [string, boolean][] => {
    const type = isRetry(world, observation) ? undefined : webhookTypes[observation.call];
    const hooks = type && observation.by.company ? world.everything("webhook", observation.by.company) : [];
    return hooks.map((hook) => {
      const then = world.during("webhook", hook.id, observation);
      const isWanted = then.length > 0 && then.every((value) => value?.enabled && [value.events].flat().includes(type));
      return [`${hook.url} ${type} ${idOf(observation)}`, isWanted && isReal(world, observation)];
    });
  });
  const tallies = tally(causes);
  for (const [key, { least }] of tallies) {
    const ids = sent.get(key)?.size ?? 0;
    if (ids < least && !failing.has(key.split(" ")[0]!)) yield `P-23: ${ids} of ${least} webhooks were sent: ${key}`;
  }
  const owners = new Map(world.everything("webhook").map(({ url, company }) => [url, company]));
  for (const [key, ids] of sent) {
    const most = tallies.get(key)?.most;
    if (hasJobs(world, owners.get(key.split(" ")[0]) ?? "")) continue;
    if (most !== undefined && ids.size > most) yield `P-23: ${ids.size} webhooks were sent for ${most} acts: ${key}`;
  }
}

/** No mail comes twice; who is added without a password is invited. */
export function* countMails({ world, events }: { world: World; events: readonly Event[] }): Iterable<string> {
  const seen = new Map<string, Date>();
  const receivers = new Set<string>();
  for (const event of events) {
    if (event.kind !== "mail") continue;
    receivers.add(event.to.toLowerCase());
    const reminded = [...event.text.matchAll(/\/documents\/\d+\?dialog=prolong/g)].map(([link]) => link);
    for (const what of [`${event.subject} ${event.text}`, ...reminded]) {
      const earlier = seen.get(`${event.to} ${what}`);
      if (earlier && !world.isNearFault(event.at) && event.at.getTime() - earlier.getTime() < daysInMs(1))
        yield `P-24: ${event.to} got “${event.subject}” twice`;
      seen.set(`${event.to} ${what}`, event.at);
    }
  }
  for (const observation of world.changes) {
    const { email, password } = bodyOf(observation);
    const isInvited = observation.call === "createUser" && observation.reply !== "lost" && !password;
    if (isInvited && !receivers.has(String(email).toLowerCase())) yield `P-24: ${email} was added, and not invited`;
  }
}
