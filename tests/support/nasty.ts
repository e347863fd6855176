import { inLots, nasty as texts, nastyNames } from "../fixtures/hostile-texts.ts";

export { inLots, nastyNames };

/** The same texts as for the endpoints, and what the buttons of forms say. */
export const nasty = [...texts, "\uFFFD", "next", "add", "remove-0", "up x", "step fields"];
