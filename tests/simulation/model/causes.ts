import { daysInMs } from "#lib/units.ts";
import type { CallName } from "#provider/contract/calls.ts";
import type { Event, Observation } from "../observation.ts";
import { scopeOf } from "./access.ts";
import { agrees, changes, expected } from "./effects.ts";
import { daysOf, validityOn } from "./verdicts.ts";
import { bodyOf, type Fact, type Noun, type World } from "./world.ts";

/** What each change leaves behind, once: an entry of the audit trail, a webhook, an alert, a mail. */

/** `last` is when it certainly happened last. */
type Tally = { least: number; most: number; last?: number };
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

/** What a call does, as entries of the audit trail say it: a new version withdraws the older one. */
function actsOf(observation: Observation): string[] {
  const { noun } = changes[observation.call]!;
  const { replaces } = bodyOf(observation);
  const own = `${entities[noun] ?? noun} ${idOf(observation)} ${actions[observation.call]}`;
  return replaces && observation.call === "storeDocument" ? [own, `document ${replaces} exited`] : [own];
}

/** One entry for each acknowledged change, by the user who made it. */
export function* countAudit(world: World, company: string, entries: any[]): Iterable<string> {
  const own = world.changes
    .filter((one) => one.by.company === company && actions[one.call] && !isRetry(world, one))
    .flatMap((one) => actsOf(one).map((key) => ({ one, key, isCertain: isReal(world, one) })));
  const found = Map.groupBy(entries, ({ entity, entity_id, action }) => `${entity} ${entity_id} ${action}`);
  for (const [key, { least, most }] of tally(own.map(({ key: act, isCertain }) => [act, isCertain]))) {
    const actors = (found.get(key) ?? []).map(({ actor }): string => actor);
    if (actors.length < least)
      yield `P-21: the audit trail of ${company} has ${actors.length} of ${least} entries: ${key}`;
    if (hasJobs(world, company)) continue;
    if (actors.length > most)
      yield `P-21: the audit trail of ${company} has ${actors.length} entries for ${most} acts: ${key}`;
    const names = own
      .filter((act) => act.key === key)
      .flatMap(({ one }) => world.during("user", world.userOf(one.by) ?? "", always).map((user) => user?.name));
    const other = actors.find((actor) => !names.includes(actor) && !actor.startsWith("Removed user"));
    if (other && names.length > 0 && !names.includes(undefined))
      yield `P-21: the audit trail of ${company} says that ${other} did it: ${key}`;
  }
  yield* replayAudit(company, entries);
}

const hasJobs = ({ changes: all }: World, company: string, which = /Actions$|BulkAction$|^applyImport$/) =>
  all.some(({ by, call }) => by.company === company && which.test(call));

const areaOf: Record<string, string> = {
  webhook: "co_profile",
  document: "docs",
  alert: "alerts",
  branch: "branches",
  "access group": "roles",
};

/** Who acts has the right to at that place of the trail: a company's changes have one order. */
function* replayAudit(company: string, entries: any[]): Iterable<string> {
  const records = new Map<string, Map<number, Record<string, any>>>([
    ["user", new Map()],
    ["access group", new Map()],
  ]);
  const named = (entity: string, name: string) => {
    const all = [...records.get(entity)!.values()].filter((record) => record.name === name);
    return all.length === 1 ? all[0] : undefined;
  };
  for (const { id, actor, api_key, entity, entity_id, action, changes: fields } of entries.toSorted(
    (a, b) => a.id - b.id,
  )) {
    const user = named("user", actor);
    const group = user && named("access group", user.staff);
    const right = ["added", "issued"].includes(action) ? "create" : "write";
    const permission = group?.[areaOf[entity] ?? ""] ?? "";
    const isAct = areaOf[entity] && Object.values(actions).includes(action) && !api_key;
    if (user?.active === false || (isAct && group && !scopeOf(permission, right)))
      yield `P-03: ${actor} of ${company} has no right any more to what the audit trail has: ${entity} ${entity_id} ${action} (${id})`;
    const known = records.get(entity)?.get(entity_id) ?? (action === "added" ? {} : undefined);
    const after = Object.fromEntries(fields.map((field: any) => [field.field, field.after]));
    if (known) records.get(entity)?.set(entity_id, { ...known, ...after });
  }
}

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
        const { least, most, last = 0 } = causes.get(key) ?? { least: 0, most: 0 };
        causes.set(key, { least: least + (must ? 1 : 0), most: most + 1, last: must ? observation.began : last });
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
    const completions = world.changes.filter(
      ({ call, input }) => call === "completeAlert" && input.params?.id === alert.id,
    );
    const completed = hasJobs(world, company, /AlertActions$/)
      ? Infinity
      : Math.max(0, ...completions.map(({ ended }) => ended));
    if (isModelled && cause && alert.status === 3 && completed < cause.last!)
      broken.push(`P-22: alert ${alert.number} stays completed though it happened again: ${key}`);
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
