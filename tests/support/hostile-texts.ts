import { inBatches, hostileTexts as texts, hostileNames } from "../fixtures/hostile-texts.ts";

export { inBatches, hostileNames };

/** The same texts as for the endpoints, and what the buttons of forms say. */
export const hostileTexts = [...texts, "\uFFFD", "next", "add", "remove-0", "earlier x", "step fields"];
