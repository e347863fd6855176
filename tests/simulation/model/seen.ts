import type { Call } from "#provider/contract/call.ts";
import type { CallName } from "../scim.ts";
import type { Observation, Reply } from "../observation.ts";
import { type Caller, type Rights, sees } from "./access.ts";
import { changes, tracked } from "./effects.ts";
import type { Fact, Noun, World } from "./world.ts";

/** A reply with all that the rules need of it. */

export type Seen = {
  world: World;
  observation: Observation;
  reply: Reply;
  declared: Call;
  callers: Caller[];
  isAlone: boolean;
};

export const isRights = (caller: Caller): caller is Rights => typeof caller !== "string";
export const isGood = ({ status }: Reply) => status < 300;
export const every = <T>(values: readonly T[], test: (value: T) => boolean) => values.length > 0 && values.every(test);

/** Calls whose rows are records of a noun. */
const rowNouns: Partial<Record<CallName, Noun>> = {
  listDocuments: "document",
  getDocument: "document",
  listBulkDocuments: "document",
  listUsers: "user",
  getUser: "user",
  currentUser: "user",
  listMembers: "user",
  listScimUsers: "user",
  listBranchUsers: "user",
  listBranches: "branch",
  getBranch: "branch",
  listAccessGroups: "group",
  getAccessGroup: "group",
  listAlerts: "alert",
  getAlert: "alert",
  listSimilarAlerts: "alert",
  listReleases: "release",
  getRelease: "release",
  listReleaseRules: "rule",
};
const foundNouns = { documents: "document", users: "user", branches: "branch", alerts: "alert" } as const;
const pathNouns = {
  documents: "document",
  users: "user",
  branches: "branch",
  "access-groups": "group",
  alerts: "alert",
  releases: "release",
} as const;

export function* rowsOf({ observation: { call }, reply }: Seen): Iterable<[Noun, any]> {
  const { json } = reply;
  if (!isGood(reply) || !json) return;
  const noun = rowNouns[call] ?? changes[call]?.noun;
  if (call === "search") {
    for (const [list, kind] of Object.entries(foundNouns)) for (const row of json[list].rows) yield [kind, row];
  } else if (call === "getCalendar") {
    for (const row of json.days.flatMap((day: any) => day.first)) yield ["document", row];
  } else if (noun && tracked[noun] && call !== "createWebhook") {
    for (const row of [json].flat()) if (row.id !== undefined) yield [noun, row];
  }
}

/** The record that a path names. */
export function subjectOf({ declared, observation }: Seen): [Noun, number] | undefined {
  const [, first, id] = /^\/([\w-]+)\/\{(id)\}/.exec(declared.path) ?? [];
  const noun = pathNouns[first as keyof typeof pathNouns];
  return noun && id ? [noun, Number(observation.input.params?.id)] : undefined;
}

/** Whether all that is possible for caller and record agrees; undefined if it doesn't. */
export function visible({ world, callers }: Seen, noun: Noun, values: (Fact | undefined)[]): boolean | undefined {
  const seen = callers.flatMap((caller) =>
    values.map((value) => (isRights(caller) && value ? sees(world, caller, noun, value) : undefined)),
  );
  return seen.length > 0 && seen.every((value) => value === seen[0]) ? seen[0] : undefined;
}

export const before = ({ world, observation }: Pick<Seen, "world" | "observation">, noun: Noun, id: number | string) =>
  world.during(noun, id, observation, observation);

/** The calls at the same time that change the same record: a reply shows it as the last of them left it. */
export function overlapping({ world, observation }: Seen, noun: Noun) {
  const { began, ended, input } = observation;
  const others = world.changes.filter(
    (one) => changes[one.call]?.noun === noun && one.input.params?.id === input.params?.id,
  );
  return [observation, ...others.filter((one) => one !== observation && one.began < ended && one.ended > began)];
}

export function* textsOf(json: unknown): Iterable<string> {
  if (typeof json === "string") yield json;
  else if (json && typeof json === "object") for (const value of Object.values(json)) yield* textsOf(value);
}

/** Whether a text has a name as words of their own. */
export function isNamed(text: string, name: string) {
  const parts = text.split(name);
  return parts.some((part, n) => n > 0 && !/^\w/.test(part) && !/[\w.-]$/.test(parts[n - 1]!));
}

/** The records that a reply shows, by row or by having been the path's. */
export function* shown(seen: Seen): Iterable<[Noun, number, (Fact | undefined)[]]> {
  const subject = subjectOf(seen);
  if (subject && isGood(seen.reply)) yield [...subject, before(seen, ...subject)];
  const own = seen.declared.method === "GET";
  for (const [noun, { id }] of own ? rowsOf(seen) : []) yield [noun, id, before(seen, noun, id)];
}
