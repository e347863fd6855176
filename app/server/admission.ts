import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { config } from "#config";
import { type Networks, networksOf } from "#storage/networks.ts";
import { createTurns } from "#storage/turns.ts";
import { aboutRequest } from "./about-request.ts";
import { isReturningBrowser } from "./browser.ts";
import { clientIn } from "./client-address.ts";
import { log } from "./log.ts";

/**
 * Admission control: forms that set or check a password are admitted no faster than passwords are hashed
 * (`provider/passwords.ts`). The others wait before anything of them is read, which costs next to nothing: refusing each
 * with a page of its own would keep the process from everything else.
 */

const path = /^\/+(api\/+)?(login|signup)([/?.]|$)/i;

/** Whether a password comes with a request, however its address is spelled: the router decodes it, and ignores case. */
export const setsPassword = ({ method, url = "" }: Pick<IncomingMessage, "method" | "url">) =>
  method === "POST" && path.test(decoded(url));

function decoded(url: string) {
  try {
    return decodeURIComponent(url.split("?", 1)[0]!);
  } catch {
    // The router reads what it can't decode as it is.
    return url;
  }
}

const usual = {
  /** How many are admitted at once: fewer than may wait to be hashed, so that none is admitted to be refused. */
  atOnce: 32,
  /** How many wait for that. */
  mostWaiting: 1000,
  /** How many of one network wait or are admitted; of those around it 4 and 16 times as many. */
  ofNetwork: 20,
  /** Aborts the wait: those that came together do not leave and come again together. */
  patience: () => AbortSignal.timeout(4000 + Math.floor(Math.random() * 4000)),
  /** How long the place of one that was refused stays taken, so that asking again at once brings no more. */
  afterRefusal: (): Promise<void> => wait(1000, undefined, { ref: false }),
};

const refused = new Error("refused");

/** `handle`, for requests in turn; `turnAway` for those that waited for too long. Browsers that return come first. */
export function inTurn(
  handle: RequestListener,
  turnAway: RequestListener,
  setting: Partial<typeof usual> = {},
): RequestListener {
  const { atOnce, mostWaiting, ofNetwork, patience, afterRefusal } = { ...usual, ...setting };
  const turns = createTurns({ atOnce, mostWaiting, refuse: () => refused });
  const share = createShares(ofNetwork);
  let heldBack = 0;

  async function admit(request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, patience()]);
    const isFirst = await isReturningBrowser(request.headers.cookie);
    const leave = isFirst ? () => {} : share(networksIn(request));
    if (!leave) return holdBack(signal);
    try {
      await turns.inTurn(() => answering(request, response), { isFirst, signal });
    } finally {
      leave();
    }
  }

  /** Has one beyond its network's share wait without a place in the queue, and then be turned away. */
  async function holdBack(signal: AbortSignal) {
    if (heldBack >= mostWaiting) throw refused;
    heldBack++;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    heldBack--;
    throw refused;
  }

  /** Resolves when it is answered, or waits for something else than the processor. */
  const answering = (request: IncomingMessage, response: ServerResponse) =>
    new Promise<void>((resolve) => {
      const isRefusal = () => response.statusCode === 429 || response.statusCode === 503;
      response.once("close", () => (isRefusal() ? void afterRefusal().then(resolve) : resolve()));
      const about = aboutRequest();
      if (about) about.waits = resolve;
      handle(request, response);
    });

  return (request, response) => {
    admit(request, response).catch((err: unknown) => {
      if (err !== refused) log.error({ err }, "a request failed");
      if (!response.destroyed) turnAway(request, response);
    });
  };
}

const networksIn = ({ headers }: IncomingMessage) =>
  networksOf(clientIn(String(headers["x-forwarded-for"] ?? ""), config().TRUSTED_PROXIES));

/** Counts what is there of each network; gives what takes one away again, or undefined where there are too many. */
function createShares(ofNetwork: number) {
  const present = new Map<string, number>();
  return ({ nearest, wider }: Networks) => {
    const networks = [{ prefix: nearest, factor: 1 }, ...wider];
    const isFull = ({ prefix, factor }: (typeof networks)[number]) => (present.get(prefix) ?? 0) >= ofNetwork * factor;
    if (networks.some(isFull)) return undefined;
    for (const { prefix } of networks) present.set(prefix, (present.get(prefix) ?? 0) + 1);
    return () => {
      for (const { prefix } of networks) {
        const left = present.get(prefix)! - 1;
        if (left > 0) present.set(prefix, left);
        else present.delete(prefix);
      }
    };
  };
}
