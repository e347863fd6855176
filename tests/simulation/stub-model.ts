import type { Model, Start } from "./observation.ts";

/** Until the model is here: no reply fails on our side but for a fault that was just made. */
export function createModel(_: Start): Model {
  let lastFault = 0;
  return {
    observe: ({ at, call, reply, by }) =>
      reply !== "lost" && reply.status >= 500 && at.getTime() - lastFault > 60_000
        ? [`H-02: ${call} of ${by.name} failed: ${JSON.stringify(reply.json)}`]
        : [],
    event(event) {
      if (event.kind === "fault") lastFault = event.at.getTime();
      return [];
    },
    rest: async () => [],
  };
}
