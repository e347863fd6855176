import type { IncomingMessage, ServerResponse } from "node:http";
import { onceHere, onResponseHead } from "./observe-request.ts";

/** Lets users' pages go before strangers', which are many and wait for them a moment. */

const maxWaitMs = 100;
/** A page that takes longer waits for something else than the processor, and meanwhile strangers wait for no one. */
const maxPageMs = 1000;
/** Strangers who go on in one turn of the event loop, so that a user who comes meanwhile is next. */
const atOnce = 8;

let inProgress = 0;
let nextTurn: NodeJS.Immediate | undefined;
const waiting = new Set<() => void>();

/**
 * Counts a user's request, once its body is here, until its response is sent, or for a moment after its head where the
 * user's network is slow.
 */
export function countUser(request: IncomingMessage, response: ServerResponse) {
  let isCounted = false;
  let timer: NodeJS.Timeout | undefined;
  const endAfter = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(end, milliseconds);
  };
  const end = () => {
    clearTimeout(timer);
    if (!isCounted) return;
    isCounted = false;
    inProgress--;
    goOn();
  };
  onceHere(request, () => {
    if (response.headersSent) return;
    isCounted = true;
    inProgress++;
    endAfter(maxPageMs);
  });
  onResponseHead(response, () => endAfter(maxWaitMs));
  response.once("finish", end);
  response.once("close", end);
}

function goOn() {
  // One turn is due at most, however many users end meanwhile.
  clearImmediate(nextTurn);
  if (inProgress > 0) return;
  for (const go of [...waiting].slice(0, atOnce)) go();
  if (waiting.size > 0) nextTurn = setImmediate(goOn);
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
