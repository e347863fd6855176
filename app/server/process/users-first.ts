import type { IncomingMessage, ServerResponse } from "node:http";
import { onceHere, onResponseHead } from "./observe-request.ts";

/** Lets users' pages go before strangers', which are many and wait for them a moment. */

const maxWaitMs = 100;
/** A page that takes longer waits for something else than the processor, and meanwhile strangers wait for no one. */
const maxPageMs = 1000;
/**
 * Strangers who go on in one turn of the event loop, so that a user who comes meanwhile is next, and so are those who have no connection
 * yet: Node accepts one in a turn.
 */
const atOnce = 4;

let inProgress = 0;
const waiting: { go: () => void; since: number }[] = [];
let immediate: NodeJS.Immediate | undefined;
let timer: NodeJS.Timeout | undefined;

/**
 * Counts a user's request, once its body is here, until its response is sent, or for a moment after its head where the
 * user's network is slow.
 */
export function countUser(request: IncomingMessage, response: ServerResponse) {
  let isCounted = false;
  let slow: NodeJS.Timeout | undefined;
  const endAfter = (milliseconds: number) => {
    clearTimeout(slow);
    slow = setTimeout(end, milliseconds);
  };
  const end = () => {
    clearTimeout(slow);
    if (!isCounted) return;
    isCounted = false;
    inProgress--;
    plan();
  };
  onceHere(request, () => {
    if (response.headersSent) return;
    isCounted = true;
    inProgress++;
    plan();
    endAfter(maxPageMs);
  });
  onResponseHead(response, () => endAfter(maxWaitMs));
  response.once("finish", end);
  response.once("close", end);
}

/** Resolves in one of the next turns once no user's request is in progress, or after a moment. */
export function afterUsers(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ go: resolve, since: performance.now() });
    if (waiting.length === 1) plan();
  });
}

/** Says anew when the first of those who wait go on. One turn is due at most, however many users begin and end meanwhile. */
function plan() {
  clearImmediate(immediate);
  clearTimeout(timer);
  const [first] = waiting;
  if (!first) return;
  const waitMs = inProgress === 0 ? 0 : first.since + maxWaitMs - performance.now();
  if (waitMs <= 0) immediate = setImmediate(goOn);
  else timer = setTimeout(goOn, waitMs);
}

function goOn() {
  for (const { go } of waiting.splice(0, atOnce)) go();
  plan();
}
