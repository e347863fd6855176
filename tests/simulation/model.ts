import { apply } from "./model/effects.ts";
import { judge } from "./model/replies.ts";
import { compareAtRest } from "./model/rest.ts";
import { applySessions } from "./model/sessions.ts";
import { applyReleases } from "./model/releases.ts";
import { applyRecipients } from "./model/recipients.ts";
import { applySignOn } from "./model/sign-on.ts";
import { World } from "./model/world.ts";
import type { Ask, Event, Model, Observation, Start } from "./observation.ts";

/**
 * Expects what docs/promises.md lists, from the papers alone. Calls are judged once all calls that overlap them have ended:
 * a record then has every state that some order of them allows.
 */
export function createModel({ administrators, timeZones }: Start): Model {
  const world = new World();
  const origin = { at: new Date(0), began: 0, ended: 0, call: "health", input: {}, by: { name: "" } } as const;
  const reply = { status: 200, json: undefined, headers: {} };
  for (const [company, timezone] of Object.entries(timeZones)) {
    world.adopt("company", company, { id: company, company, timezone }, { ...origin, reply });
  }
  let open: Observation[] = [];
  let events: Event[] = [];

  /** Takes over and judges the calls that have ended since no call was open. */
  function settle(): string[] {
    const batch = open;
    open = [];
    for (const observation of batch) {
      world.step = Math.max(world.step, observation.ended);
      // A failure may have come after the commit.
      const hasFailed = observation.reply !== "lost" && observation.reply.status >= 500;
      const effect: Observation = hasFailed ? { ...observation, reply: "lost" } : observation;
      applySessions(world, effect, applySignOn(world, effect, batch.length === 1));
      apply(world, effect);
      applyRecipients(world, effect);
      applyReleases(world, effect);
    }
    return batch.flatMap((observation) => judge(world, observation, batch.length === 1));
  }

  return {
    observe(observation) {
      open.push(observation);
      // Each call that has ended took two steps: more steps are those of calls that are open.
      return observation.ended - world.step > 2 * open.length ? [] : settle();
    },

    event(event) {
      const broken = event.kind === "restored" ? settle() : [];
      if (event.kind === "restored") {
        world.restore(event.to);
        events = events.filter(({ at }) => at <= event.to);
      }
      if (event.kind === "fault") world.faults.push(event.at);
      if (event.kind === "fault" && event.what.includes("clock")) world.jumps.push(event.at);
      events.push(event);
      return broken;
    },

    async rest(at: Date, ask: Ask) {
      return [...settle(), ...(await compareAtRest({ world, events, administrators, at, ask }))];
    },
  };
}
