import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createTurns } from "#storage/turns.ts";
import { aboutRequest } from "./about-request.ts";
import { isReturningBrowser } from "./browser.ts";
import { log } from "./log.ts";

/**
 * Admission control: forms that set or check a password are admitted no faster than passwords are hashed
 * (`provider/passwords.ts`). The others wait before anything of them is read, which costs next to nothing: refusing each
 * with a page of its own would keep the process from everything else.
 */

/** How many are admitted at once: fewer than may wait to be hashed, so that none is admitted to be refused. */
const mostAdmitted = 32;
/** How many wait for that. */
const mostQueued = 1000;
/** How long they do, in milliseconds: those that came together do not leave and come again together. */
const longestWait = () => 4000 + Math.floor(Math.random() * 4000);

const path = /^\/(api\/)?(login|signup)([/?.]|$)/;

export const setsPassword = ({ method, url }: IncomingMessage) => method === "POST" && path.test(url ?? "");

/** `handle`, for requests in turn; `turnAway` for those that waited for too long. Browsers that return come first. */
export function inTurn(
  handle: RequestListener,
  turnAway: RequestListener,
  { atOnce = mostAdmitted, mostWaiting = mostQueued, patience = () => AbortSignal.timeout(longestWait()) } = {},
): RequestListener {
  const refused = new Error("refused");
  const turns = createTurns({ atOnce, mostWaiting, refuse: () => refused });

  async function wait(request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const turn = {
      isFirst: await isReturningBrowser(request.headers.cookie),
      signal: AbortSignal.any([gone.signal, patience()]),
    };
    await turns.inTurn(() => answering(request, response), turn);
  }

  /** Resolves when it is answered, or waits for something else than the processor. */
  const answering = (request: IncomingMessage, response: ServerResponse) =>
    new Promise<void>((resolve) => {
      response.once("close", resolve);
      const about = aboutRequest();
      if (about) about.waits = resolve;
      handle(request, response);
    });

  return (request, response) => {
    wait(request, response).catch((err: unknown) => {
      if (err !== refused) log.error({ err }, "a request failed");
      if (!response.destroyed) turnAway(request, response);
    });
  };
}
