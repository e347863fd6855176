import type { ServerResponse } from "node:http";
import { onResponseHead } from "./observe-request.ts";

/** Lets users' pages go before strangers', which are many and wait for them a moment. */

const maxWaitMs = 25;

let inProgress = 0;
const waiting = new Set<() => void>();

/** Counts a user's request until the head of its response. */
export function countUser(response: ServerResponse) {
  let isCounted = true;
  inProgress++;
  const end = () => {
    if (!isCounted) return;
    isCounted = false;
    inProgress--;
    if (inProgress === 0) for (const go of waiting) go();
  };
  onResponseHead(response, end);
  response.once("close", end);
}

/** Resolves once no user's request is in progress, or after a moment. */
export function afterUsers(): Promise<void> {
  if (inProgress === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(go, maxWaitMs);
    waiting.add(go);
  });
}
