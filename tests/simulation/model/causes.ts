import type { CallName } from "../scim.ts";
import type { Observation } from "../observation.ts";
import { scopeOf } from "./access.ts";
import { agrees, changes, expected } from "./effects.ts";
import { bodyOf, type Fact, isHeld, type Noun, type World } from "./world.ts";

/** What each change leaves behind, once: an entry of the audit trail, and more in `alerts.ts` and `messages.ts`. */

/** `last` is when it certainly happened last. */
export type Tally = { least: number; most: number; last?: number };
const always = { began: 0, ended: Infinity };

/** Counts causes by key: acknowledged ones have to be there, lost ones may be. */
export function tally(observations: Iterable<[key: string, isCertain: boolean]>) {
  const tallies = new Map<string, Tally>();
  for (const [key, isCertain] of observations) {
    const { least, most } = tallies.get(key) ?? { least: 0, most: 0 };
    tallies.set(key, { least: least + (isCertain ? 1 : 0), most: most + 1 });
  }
  return tallies;
}

export const idOf = ({ call, reply, input }: Observation) =>
  changes[call]?.adds || call === "addUserToBranch"
    ? reply === "lost"
      ? undefined
      : reply.json.id
    : Number(input.params?.id);

/** Whether a call replied with what an earlier one had made. */
export function isRetry(world: World, one: Observation) {
  const id = changes[one.call]?.adds ? idOf(one) : undefined;
  return id !== undefined && world.changes.find((other) => other.call === one.call && idOf(other) === id) !== one;
}

/** Whether an acknowledged call surely changed something: what is so already is answered alike. */
export function isReal(world: World, observation: Observation) {
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
  addScimUser: "added",
  changeScimUser: "changed",
  removeScimUser: "removed",
  moveScimUser: "changed",
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
  releaseDraft: "released",
  returnDraft: "returned",
};
const entities: Partial<Record<Noun, string>> = { group: "access group" };

/** The document that came into being by a call. */
export function issuedBy({ call, reply }: Observation): number | undefined {
  if (reply === "lost") return undefined;
  const { id, act, state, document } = reply.json ?? {};
  if (call === "releaseDraft") return act === "issue" && state === "released" ? document : undefined;
  return call === "storeDocument" ? id : undefined;
}

/** What a call does, as entries of the audit trail say it: a new version withdraws the older one. */
function actsOf(observation: Observation): string[] {
  const { noun } = changes[observation.call]!;
  const { replaces } = bodyOf(observation);
  const own = `${entities[noun] ?? noun} ${idOf(observation)} ${actions[observation.call]}`;
  const issued = issuedBy(observation);
  if (issued && observation.call === "releaseDraft") return [own, `document ${issued} issued`];
  return replaces && observation.call === "storeDocument" ? [own, `document ${replaces} exited`] : [own];
}

/** Whether nothing was issued, but a draft waits. */
const isDraft = (one: Observation) => one.call === "storeDocument" && isHeld(one);

/** One entry for each acknowledged change, by the user who made it. */
export function* countAudit(world: World, company: string, entries: any[]): Iterable<string> {
  const own = world.changes
    .filter((one) => one.by.company === company && actions[one.call] && !isRetry(world, one) && !isDraft(one))
    .flatMap((one) => actsOf(one).map((key) => ({ one, key, isCertain: isReal(world, one) })));
  // What a claim changed is said in its own name.
  const byUsers = entries.filter(({ actor }) => actor !== "Single sign-on");
  const found = Map.groupBy(byUsers, ({ entity, entity_id, action }) => `${entity} ${entity_id} ${action}`);
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

export const hasJobs = ({ changes: all }: World, company: string, which = /Actions$|BulkAction$|^applyImport$/) =>
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
    // To release a change, a user needs no right to make it.
    const mayAct = scopeOf(permission, right) || (entity === "document" && scopeOf(permission, "release"));
    if (user?.active === false || (isAct && group && !mayAct))
      yield `P-03: ${actor} of ${company} has no right any more to what the audit trail has: ${entity} ${entity_id} ${action} (${id})`;
    const known = records.get(entity)?.get(entity_id) ?? (action === "added" ? {} : undefined);
    const after = Object.fromEntries(fields.map((field: any) => [field.field, field.after]));
    if (known && !action.startsWith("API key")) records.get(entity)?.set(entity_id, { ...known, ...after });
  }
}
