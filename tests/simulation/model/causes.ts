import { daysInMs } from "#lib/units.ts";
import type { CallName } from "#provider/contract/calls.ts";
import type { Event, Observation } from "../observation.ts";
import { agrees, changes, expected } from "./effects.ts";
import { daysOf, validityOn } from "./verdicts.ts";
import { bodyOf, type Fact, type Noun, type World } from "./world.ts";

/** What each change leaves behind, once: an entry of the audit trail, a webhook, an alert, a mail. */

type Tally = { least: number; most: number };
const always = { began: 0, ended: Infinity };

/** Counts causes by key: acknowledged ones have to be there, lost ones may be. */
function tally(observations: Iterable<[key: string, isCertain: boolean]>) {
  const tallies = new Map<string, Tally>();
  for (const [key, isCertain] of observations) {
    const { least, most } = tallies.get(key) ?? { least: 0, most: 0 };
    tallies.set(key, { least: least + (isCertain ? 1 : 0), most: most + 1 });
  }
  return tallies;
}

const idOf = ({ call, reply, input }: Observation) =>
  changes[call]?.adds || call === "addUserToBranch"
    ? reply === "lost"
      ? undefined
      : reply.json.id
    : Number(input.params?.id);

/** Whether a call replied with what an earlier one had made. */
function isRetry(world: World, one: Observation) {
  const id = changes[one.call]?.adds ? idOf(one) : undefined;
  return id !== undefined && world.changes.find((other) => other.call === one.call && idOf(other) === id) !== one;
}

/** Whether an acknowledged call surely changed something: what is so already is answered alike. */
function isReal(world: World, observation: Observation) {
  const { call, reply } = observation;
  const { noun, adds } = changes[call]!;
  if (reply === "lost" || adds) return reply !== "lost";
  const earlier = world.during(noun, idOf(observation), observation, observation);
  const after = (fact: Fact | undefined) => (reply.json?.id === fact?.id ? reply.json : expected(fact, observation));
  return earlier.length > 0 && earlier.every((fact) => fact && after(fact) && !agrees(noun, fact, after(fact)));
}

const actions: Partial<Record<CallName, string>> = {
  createUser: "added",
  updateUser: "changed",
  addUserToBranch: "changed",
  removeUser: "removed",
  reactivateUser: "reactivated",
  createBranch: "added",
  updateBranch: "changed",
  createAccessGroup: "added",
  updateAccessGroup: "changed",
  storeDocument: "issued",
  updateDocument: "changed",
  archiveDocument: "archived",
  restoreDocument: "restored",
  exitDocument: "exited",
  reactivateDocument: "reactivated",
  prolongDocument: "prolonged",
  withdrawCopy: "copy withdrawn",
  restoreCopy: "copy restored",
  completeAlert: "completed",
  reopenAlert: "reopened",
};
const entities: Partial<Record<Noun, string>> = { group: "access group" };

/** One entry for each acknowledged change, by the user who made it. */
export function* countAudit(world: World, company: string, entries: any[]): Iterable<string> {
  const own = world.changes.filter((one) => one.by.company === company && actions[one.call] && !isRetry(world, one));
  const keyOf = (observation: Observation) => {
    const noun = changes[observation.call]!.noun;
    return `${entities[noun] ?? noun} ${idOf(observation)} ${actions[observation.call]}`;
  };
  const found = new Map<string, string[]>();
  for (const { entity, entity_id, action, actor } of entries) {
    const key = `${entity} ${entity_id} ${action}`;
    found.set(key, [...(found.get(key) ?? []), actor]);
  }
  for (const [key, { least, most }] of tally(own.map((one) => [keyOf(one), isReal(world, one)]))) {
    const actors = found.get(key) ?? [];
    if (actors.length < least)
      yield `P-21: the audit trail of ${company} has ${actors.length} of ${least} entries: ${key}`;
    if (actors.length > most && !hasJobs(world, company))
      yield `P-21: the audit trail of ${company} has ${actors.length} entries for ${most} acts: ${key}`;
    const names = own
      .filter((one) => keyOf(one) === key)
      .flatMap(({ by }) => world.during("user", world.userOf(by) ?? "", always).map((user) => user?.name));
    const other = actors.find(
      (actor) =>
        names.length > 0 && !names.includes(undefined) && !names.includes(actor) && !actor.startsWith("Removed user"),
    );
    if (other && !hasJobs(world, company))
      yield `P-21: the audit trail of ${company} says that ${other} did it: ${key}`;
  }
}

const hasJobs = ({ changes: all }: World, company: string) =>
  all.some(({ by, call }) => by.company === company && /Actions$|BulkAction$|^applyImport$/.test(call));

const alertNames: Record<string, string> = {
  withdrawn: "Withdrawn document scanned",
  expired: "Expired document scanned",
  complaint: "Complaint",
};

/** One alert for each code, rule and day; none without a cause (docs/open-points.md, "Alerts"). */
export function countAlerts(world: World, company: string, alerts: Fact[]): string[] {
  const broken: string[] = [];
  const keyOf = ({ document_id, copy, alert }: any, day: string) =>
    `${alert} of document ${document_id}, copy ${copy ?? 1}, on ${day}`;
  const scans = world.changes.filter(({ call }) => call === "recordScan" || call === "complain");
  const causes = new Map<string, Tally>();
  for (const observation of scans) {
    const { by, call, reply, input, at } = observation;
    const code = world.codes.get(String(input.params?.code));
    const documents = code ? world.during("document", code.document, observation) : [];
    if (!code || documents.at(-1)?.company !== company) continue;
    const days = daysOf(world, company, at);
    const types =
      call === "complain"
        ? ["complaint"]
        : documents.flatMap((fact) => days.map((day) => fact && validityOn(fact, day)));
    const isStored = call === "complain" || (reply !== "lost" && reply.json.scan !== "");
    const isCertain =
      reply !== "lost" && isStored && by.company === undefined && days.length === 1 && new Set(types).size === 1;
    const hasRules = world.changes.some((change) => change.call === "updateAlertRule" && change.by.company === company);
    const possible = types.flatMap((type) => (type === undefined ? ["withdrawn", "expired"] : [type]));
    for (const type of possible) {
      const alert = alertNames[type];
      for (const day of alert ? days : []) {
        const key = keyOf({ document_id: code.document, copy: code.copy, alert }, day);
        const must = isCertain && types[0] !== undefined && (type === "complaint" || !hasRules);
        const { least, most } = causes.get(key) ?? { least: 0, most: 0 };
        causes.set(key, { least: least + (must ? 1 : 0), most: most + 1 });
      }
    }
  }
  const found = new Map<string, number>();
  for (const alert of alerts) {
    const [day = ""] = daysOf(world, company, new Date(alert.date));
    const key = keyOf(alert, day);
    found.set(key, (found.get(key) ?? 0) + 1);
    const isModelled = /^(Withdrawn document|Expired|Complaint)/.test(alert.alert) && alert.document_id !== null;
    const cause = causes.get(key);
    if (isModelled && cause && (alert.count < cause.least || alert.count > cause.most)) {
      broken.push(`P-22: alert ${alert.number} counts ${alert.count} of ${cause.least} to ${cause.most}: ${key}`);
    }
    if (isModelled && !cause) broken.push(`P-22: alert ${alert.number} has no cause: ${key}`);
  }
  for (const [key, count] of found)
    if (count > 1 && !key.includes("null")) broken.push(`P-22: ${count} alerts instead of one: ${key}`);
  for (const [key, { least }] of causes) if (least > 0 && !found.has(key)) broken.push(`P-22: no alert: ${key}`);
  return broken;
}

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
  for (const [key, ids] of sent) {
    const most = tallies.get(key)?.most;
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
    const key = `${event.to} ${event.subject} ${event.text}`;
    const earlier = seen.get(key);
    if (earlier && !world.isNearFault(event.at) && event.at.getTime() - earlier.getTime() < daysInMs(1))
      yield `P-24: ${event.to} got “${event.subject}” twice`;
    seen.set(key, event.at);
  }
  for (const observation of world.changes) {
    const { email, password } = bodyOf(observation);
    const isInvited = observation.call === "createUser" && observation.reply !== "lost" && !password;
    if (isInvited && !receivers.has(String(email).toLowerCase())) yield `P-24: ${email} was added, and not invited`;
  }
}
