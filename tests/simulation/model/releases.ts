import { minutesInMs } from "#lib/units.ts";
import type { Reply, Observation } from "../observation.ts";
import type { CallName } from "../scim.ts";
import { idOf, isReal, isRetry } from "./causes.ts";
import { expected, replaceDocument, tracked } from "./effects.ts";
import { before, every, isGood, type Seen } from "./seen.ts";
import { bodyOf, type Fact, isHeld, type World } from "./world.ts";

/** What waits until users other than its drafter release it (docs/contract.md, "Releases"). */

export function applyReleases(world: World, observation: Observation) {
  const { call, reply } = observation;
  if (reply !== "lost" && reply.status >= 300) return;
  if (isHeld(observation)) hold(world, observation);
  if (call === "releaseDraft") release(world, observation);
}

/** A draft or a change as it waits from now on, with who asked for it. */
function hold(world: World, observation: Observation) {
  const { by, call, input, reply } = observation;
  const { awaiting_release: id, number } = (reply as Reply).json;
  const company = by.company!;
  // Repeated, or on its way already: a document says of each change that one waits.
  if (world.knows("release", id) && !bodyOf(observation).release) return;
  const document = call === "storeDocument" ? undefined : Number(input.params?.id);
  // Sent again, it has a version that is no older.
  const version = world.during("release", id, observation).at(-1)?.version;
  const about = { number, document, drafter: world.userOf(by), asked: observation, version };
  world.set("release", id, { id, company, state: "waiting", ...about }, observation);
}

/** A release does what was asked for; a draft becomes a document. */
function release(world: World, observation: Observation) {
  const { by, input, reply } = observation;
  const company = by.company!;
  if (reply !== "lost" && reply.json.state !== "released") return;
  const waiting = world.during("release", Number(input.params?.id), observation, observation).at(-1);
  const asked: Observation | undefined = waiting?.asked;
  if (asked?.call === "storeDocument") replaceDocument(world, { ...observation, input: asked.input }, undefined);
  if (!asked || asked.call === "storeDocument") world.pending.push({ noun: "document", company, source: observation });
  const id = Number(asked?.input.params?.id);
  const document = id ? world.during("document", id, observation).at(-1) : undefined;
  const after = document && expected(document, asked!);
  if (after) world.set("document", id, { ...after, version: undefined }, observation);
  const fields = [...tracked.document!, "withdrawn", "prolonged_until", "version"];
  if (!asked) world.loosen({ noun: "document", company, fields, isLater: reply === "lost" }, observation);
}

/** Nobody releases their own draft, or alone what needs two; what a rule holds back is not done before its release. */
export function* judgeRelease(seen: Seen): Iterable<string> {
  const { world, observation, reply } = seen;
  const { by, call, input } = observation;
  if (!isGood(reply)) return;
  if (call === "releaseDraft") {
    const id = Number(input.params?.id);
    const [user, ...drafters] = [world.userOf(by), ...before(seen, "release", id).map((one) => one?.drafter)];
    if (every(drafters, (drafter) => drafter !== undefined && drafter === user)) yield "released what they drafted";
    const all = world.changes.filter((one) => one.call === call && one.input.params?.id === input.params?.id);
    const releasers = new Set(all.map((one) => world.userOf(one.by)).filter((one) => !drafters.includes(one)));
    if (reply.json.state === "released" && releasers.size < reply.json.releasers)
      yield `was released by ${releasers.size} of ${reply.json.releasers}`;
  }
  if (isHeld(observation)) return;
  if (call === "prolongDocument" || call === "reactivateDocument") {
    const documents = before(seen, "document", Number(input.params?.id));
    const isRuled = every(documents, (one) => holding(seen, one?.document_type).length > 0);
    if (isRuled && isReal(world, observation)) yield "changed what a rule holds back";
  }
  if (call !== "storeDocument") return;
  const { document_type: type } = bodyOf(observation);
  const rules = holding(seen, type);
  if (rules.length > 0 && !isRetry(world, observation)) yield `issued a ${type}, which a rule holds back`;
}

/** The rules that hold documents of a type back as long as a call lasts. */
const holding = ({ world, observation }: Seen, type?: string) =>
  world
    .all("rule", observation.by.company!, observation)
    .filter((rule) => every(rule, (one) => type !== undefined && holds(one, type)));

/** No path leads around a rule: what was issued while one held says who released it, other than who drafted it. */
export function* findUnreleased(world: World, company: string, documents: Fact[]): Iterable<string> {
  const margin = minutesInMs(15);
  const changeOf = (rule: Fact, call: CallName) =>
    world.changes.find((one) => one.call === call && idOf(one) === rule.id);
  const rules = world.everything("rule", company).map((rule) => ({
    rule,
    added: changeOf(rule, "createReleaseRule")?.at,
    removed: changeOf(rule, "removeReleaseRule")?.at,
  }));
  for (const { id } of documents) {
    const fact = world.during("document", id, world.rest).at(-1);
    if (!fact?.created_at) continue;
    const { drafted_by: drafter, released_by: releaser, document_type: type } = fact;
    const at = new Date(fact.created_at);
    const isRuled = rules.some(
      ({ rule, added, removed }) =>
        holds(rule, type) && added && +at > +added + margin && (!removed || +at < +removed - margin),
    );
    if (isRuled && !releaser && !world.isNearJump(at))
      yield `P-29: document ${id} of ${company} was issued around a rule`;
    if (releaser && releaser === drafter) yield `P-29: ${drafter} drafted document ${id}, and released it`;
  }
}

const holds = (rule: Fact, type: string) => ["", type].includes(rule.document_type);
