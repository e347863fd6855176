import type { Observation } from "../observation.ts";
import { every, isGood, type Seen } from "./seen.ts";
import { daysOf, validityOn, verdictsOf } from "./verdicts.ts";
import { bodyOf, type Fact, type Id, type World } from "./world.ts";

/** To whom documents were sent, and what these open (docs/contract.md, "Recipients"). */

export function applyRecipients(world: World, observation: Observation) {
  const { call, reply, by, input } = observation;
  const company = by.company ?? "";
  if (reply !== "lost" && reply.status >= 300) return;
  if (call === "sendDocument" && reply !== "lost") {
    const { id, email } = reply.json;
    world.set("recipient", id, { id, company, document: Number(input.params!.id), email, isEnded: false }, observation);
  }
  const { email } = bodyOf(observation);
  const isOf = ({ id, email: own }: Fact) =>
    /^(end|remind)Recipient$/.test(call) ? id === Number(input.params!.n) : call === "eraseRecipient" && own === email;
  // A reminder has a new link.
  const isEnded = call !== "remindRecipient";
  for (const [fact] of world.all("recipient", company, observation))
    if (isOf(fact!)) world.set("recipient", fact!.id, { ...fact!, isEnded }, observation);
}

/** Holders have the first copy. What they are shown was sent to their address, and has not ended since; a list has what is in force. */
export function* judgeReceived({ world, observation, reply }: Seen): Iterable<string> {
  const { call, by, at, input } = observation;
  if (!isGood(reply) || !["openReceivedLink", "listReceived", "getReceived"].includes(call)) return;
  const isList = call === "listReceived";
  const ids: Id[] = isList ? reply.json.documents.map(({ id }: Fact) => id) : [reply.json.id ?? input.params?.id];
  for (const id of ids) {
    const recipients = world.during("recipient", id, observation);
    if (every(recipients, (one) => one?.isEnded)) yield `opened ${id}, which was ended or erased`;
    if (every(recipients, (one) => !!one && one.email !== by.email)) yield `opened ${id}, which is another's`;
    const documents = recipients.flatMap((one) => (one ? world.during("document", one.document, observation) : []));
    const days = daysOf(world, recipients.find((one) => one)?.company ?? "", at);
    const answers = (document: Fact) =>
      isList ? days.map((day) => validityOn(document, day)) : verdictsOf(document, 1, days);
    const right = documents.flatMap((document) => (document ? answers(document) : [undefined]));
    const shown = isList ? "in force" : reply.json.verdict;
    if (shown && right.length > 0 && !right.includes(undefined) && !right.includes(shown))
      yield `says ${shown} of ${id}, which is ${right.join(" or ")}`;
  }
}
