import type { CallName } from "../scim.ts";
import type { Observation } from "../observation.ts";
import { keyOf } from "./access.ts";
import { bodyOf, type Fact, type Id, type World } from "./world.ts";

/** Sign-ins and API keys: how they begin and end (docs/open-points.md, "Session"; docs/api.md, "API keys"). */

const endOwnOthers: readonly CallName[] = ["endOtherSessions", "changePassword", "signup"];
const endOfUser: readonly CallName[] = [
  "removeUser",
  "removeScimUser",
  "eraseUser",
  "endUserSessions",
  "clearUserSecondFactor",
];

export const sessionOf = ({ by, session }: Observation): Id | undefined =>
  session && by.company ? `${by.company}/${by.email}/${session}` : undefined;

/** Takes over what an acknowledged or lost call did to sessions and keys. */
export function applySessions(world: World, observation: Observation, isRemoved: boolean) {
  const { call, reply, by, at, input } = observation;
  const own = sessionOf(observation);
  const isLost = reply === "lost";
  const [company, user] = [by.company ?? "", world.userOf(by)];
  if (own && !world.knows("key", keyOf(by)) && !isLost && reply.status !== 401) {
    // A session is known by its first use.
    if (!world.knows("session", own))
      world.adopt("session", own, { id: own, company, user, since: at, used: at }, { ...observation });
    for (const session of world.during("session", own, observation)) if (session) session.used = at;
  }
  if (isRemoved) end("session", user);
  if (!isLost && reply.status >= 300) return;
  if (call === "logout" && own) world.set("session", own, undefined, observation);
  const target = Number(input.params?.id);
  const setsPassword = call === "updateUser" && bodyOf(observation).password && target !== user;
  const isLocked = call === "changeScimUser" && bodyOf(observation).active === false;
  if (endOwnOthers.includes(call)) end("session", user);
  if (endOfUser.includes(call) || setsPassword || isLocked) end("session", target);
  if (call === "signup") end("key", user);
  if ((endOfUser.includes(call) && call !== "endUserSessions") || setsPassword || isLocked) end("key", target);
  if (call === "createOwnKey" && !isLost) {
    const { id: number, areas, scope, name, expires_on } = reply.json;
    const id = keyOf({ company, name });
    world.set("key", id, { id, company, number, user, areas, scope, expires_on }, observation);
  }
  if (call === "revokeOwnKey") endKey(target);
  if (call === "revokeUserKey") endKey(Number(input.params?.key));

  function end(noun: "session" | "key", whose: Id | undefined) {
    for (const [fact] of world.all(noun, company, observation)) {
      if (fact!.user === whose && fact!.id !== own) world.set(noun, fact!.id, undefined, observation);
    }
  }

  function endKey(number: Id) {
    const key = world.all("key", company, observation).find(([fact]) => fact!.number === number);
    if (key) world.set("key", key[0]!.id, undefined, observation);
  }
}

const hour = 3_600_000;

/** Whether a session is open: 12 hours without use, 30 days in all; undefined near the limits or if it isn't known. */
export function isOpen(world: World, sessions: (Fact | undefined)[], at: Date): boolean | undefined {
  const nearHours = world.isNearJump(at) ? 2.2 : 0.2;
  const open = sessions.map((session) => {
    if (!session) return false;
    const [idle, age] = [at.getTime() - session.used.getTime(), at.getTime() - session.since.getTime()];
    if (idle > (12 + nearHours) * hour || age > 721 * hour) return false;
    return idle < (12 - nearHours) * hour && age < 719 * hour ? true : undefined;
  });
  return open.length > 0 && open.every((value) => value === open[0]) ? open[0] : undefined;
}
