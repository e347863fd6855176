import type { Observation } from "../observation.ts";
import { factOf } from "./effects.ts";
import { every, isRights, type Seen } from "./seen.ts";
import type { Fact, World } from "./world.ts";

/** Sign-ins at a company's identity provider (docs/single-sign-on.md, "What a sign-in does"). */

/** What is known of a person whom the identity provider vouches for: `group` is the only access group that their groups give. */
function personOf(world: World, observation: Observation) {
  const { by, input } = observation;
  const { sub, groups: claimed } = input.claims!;
  const id = `${by.company} ${sub}`;
  const identities = world.during("identity", id, observation, observation);
  const isNamed = (group: Fact) =>
    String(group.identity_groups)
      .split("\n")
      .some((name) => claimed.includes(name));
  const groups = world.all("group", by.company!, observation).filter((values) => values.some(isNamed));
  const [group] = groups;
  const isSure = groups.length === 1 && group!.every(isNamed);
  const userId = identities.findLast((one) => one)?.user ?? world.userOf(by);
  const users = world.during("user", userId ?? "", observation, observation);
  return { id, identities, userId, users, isGroupless: groups.length === 0, group: isSure ? group![0]!.id : undefined };
}

const isFresh = (world: World, { input }: Observation) => {
  const { attempt } = input.body as { attempt: string };
  return world.attempts.get(attempt) === 1;
};

/** A claim gave the access group, and is gone: the user is removed until it comes back. */
const hasLost = ({ identities, users, isGroupless }: ReturnType<typeof personOf>) =>
  isGroupless &&
  every(identities, (one) => one?.claimed === true && !one.left) &&
  every(users, (user) => user?.active === true);

/** Takes over what a sign-in changed; true if it surely ended the user's sessions. */
export function applySignOn(world: World, observation: Observation, isAlone: boolean): boolean {
  const { by, reply, input } = observation;
  if (observation.call !== "endSingleSignOn" || !input.claims) return false;
  const { attempt } = input.body as { attempt: string };
  world.attempts.set(attempt, (world.attempts.get(attempt) ?? 0) + 1);
  const person = personOf(world, observation);
  const { id, userId, isGroupless, group } = person;
  const company = by.company!;
  if (reply !== "lost" && reply.status === 200) {
    const { user } = reply.json;
    world.set("user", user.id, factOf(world, "user", user, company), observation);
    const claimed = isGroupless ? false : group !== undefined || undefined;
    world.set("identity", id, { id, company, user: user.id, claimed, left: false }, observation);
    return false;
  }
  if (userId === undefined || (reply !== "lost" && reply.status !== 422)) return false;
  if (reply !== "lost" && isAlone && isFresh(world, observation) && hasLost(person)) {
    const source = { ...observation, reply: { ...reply, status: 200 } };
    world.set("user", userId, { ...person.users.at(-1)!, version: undefined, active: false, left: true }, source);
    world.set("identity", id, { id, company, user: userId, claimed: true, left: true }, source);
    return true;
  }
  world.loosen({ noun: "user", company, fields: ["active", "left", "staff_id"], chosen: [userId] }, observation);
  world.loosen({ noun: "identity", company, fields: ["claimed", "left"], chosen: [id] }, observation);
  return false;
}

/** Who may sign in, and as whom. */
export function* judgeSignOn({ world, observation, reply, callers, isAlone }: Seen): Iterable<string> {
  if (observation.call !== "endSingleSignOn" || !observation.input.claims) return;
  const person = personOf(world, observation);
  const { identities, users, isGroupless, group } = person;
  if (reply.status === 200) {
    const { id, staff_id } = reply.json.user;
    const mayReturn = !isGroupless && users.some((user) => user?.left !== false);
    if (every(callers, (caller) => caller === "out") && !mayReturn) yield "signed in by single sign-on though removed";
    if (hasLost(person)) yield "signed in though the claim has gone that gave the access group";
    if (every(identities, (one) => !!one && one.user !== id)) yield `signed in as user ${id}, who is another`;
    if (isAlone && group !== undefined && staff_id !== group)
      yield `signed in outside of the claim's access group ${group}`;
  }
  const isClaimless = isGroupless && identities.every((one) => !one || one.claimed === false);
  const mayEnter = every(callers, isRights) && (group !== undefined || isClaimless);
  if (reply.status === 422 && isAlone && mayEnter && isFresh(world, observation)) yield "was refused single sign-on";
}
