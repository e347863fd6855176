import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { config } from "#config";
import { networksOf } from "#storage/networks.ts";
import { createReservations } from "#storage/reservations.ts";
import { createWorkQueue } from "#storage/work-queue.ts";
import { requestContext } from "../request/request-context.ts";
import { returningBrowser } from "../sessions/browser.ts";
import { clientIn } from "../request/client-address.ts";
import { log } from "./log.ts";
import { pathOf } from "../request/target.ts";
import { createArrivals } from "../request/whole-body.ts";
import { secondsInMs } from "#units";

/**
 * Admission control: forms that set or check a password are admitted no faster than passwords are hashed
 * (`provider/passwords/passwords.ts`). The others wait before anything of them is read, which costs next to nothing: refusing each
 * with a page of its own would keep the process from everything else.
 */

const path = /^\/+(api\/+)?(login|signup)([/.]|$)/;

/** Whether a password comes with a request, however its address is spelled: the router decodes it, and ignores case. */
export const carriesPassword = ({ method, url = "" }: Pick<IncomingMessage, "method" | "url">) =>
  method === "POST" && path.test(pathOf(url));

const usual = {
  /** How many are admitted at once: fewer than may wait to be hashed, so that none is admitted to be refused. */
  atOnce: 32,
  /** How many wait for that. */
  mostWaiting: 1000,
  /** How many of one network wait or are admitted; of those around it 4 and 16 times as many. */
  ofNetwork: 20,
  /** How many of one returning browser wait or are admitted; its cookie may be anybody's, of any company. */
  ofBrowser: 4,
  /** How many arrive at once. */
  mostArriving: 1000,
  /** How many that are longer than any form with a password are refused at once, which the app does. */
  mostLong: 4,
  /** Aborts the wait for a body. */
  patienceForBody: () => AbortSignal.timeout(secondsInMs(10)),
  /** Aborts the wait: those that came together do not leave and come again together. */
  patience: () => AbortSignal.timeout(Math.floor(secondsInMs(4 + Math.random() * 4))),
  /** How long the place of one that was refused stays taken, so that asking again at once brings no more. */
  afterRefusal: (): Promise<void> => wait(secondsInMs(1), undefined, { ref: false }),
};

const refused = new Error("refused");

/** `handle`, for requests in turn; `reject` for those that waited for too long. Browsers that return come first. */
export function admitInTurn(
  handle: RequestListener,
  reject: RequestListener,
  setting: Partial<typeof usual> = {},
): RequestListener {
  const { atOnce, mostWaiting, ofNetwork, ofBrowser, mostArriving, mostLong, patience, patienceForBody, afterRefusal } =
    { ...usual, ...setting };
  const turns = createWorkQueue({ concurrency: atOnce, maxWaiting: mostWaiting, refuse: () => refused });
  const wholeBody = createArrivals({ mostAtOnce: mostArriving });
  const present = createReservations<string>();
  let heldBack = 0;

  async function admit(request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const arrival = await wholeBody(request, AbortSignal.any([gone.signal, patienceForBody()]));
    if (response.destroyed) return;
    if (arrival === "late") return refuseLate(response);
    if (arrival === "here") return takeTurn(request, response, gone.signal);
    const leave = share([{ key: "long forms", most: mostLong }]);
    if (!leave) throw refused;
    response.once("close", leave);
    handle(request, response);
  }

  /** Takes a share of each, or of none; gives what leaves them again, or undefined where one is taken already. */
  function share(shares: Share[]) {
    if (shares.some(({ key, most }) => present.of(key) >= most)) return undefined;
    const taken = shares.map(({ key }) => present.reserve(key, 1));
    return () => taken.forEach((leave) => leave());
  }

  async function takeTurn(request: IncomingMessage, response: ServerResponse, gone: AbortSignal) {
    const signal = AbortSignal.any([gone, patience()]);
    const browser = await returningBrowser(request.headers.cookie);
    const isFirst = browser !== undefined;
    const leave = share(isFirst ? [{ key: browser, most: ofBrowser }] : networksIn(request, ofNetwork));
    if (!leave) return holdBack(signal);
    try {
      await turns.run(() => answering(request, response), { isFirst, signal });
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
      const about = requestContext();
      if (about) about.waits = resolve;
      handle(request, response);
    });

  return (request, response) => {
    admit(request, response).catch((err: unknown) => {
      if (err !== refused) log.error({ err }, "a request failed");
      if (!response.destroyed) reject(request, response);
    });
  };
}

type Share = { key: string; most: number };

/** A client's networks, the nearest first, each with its share. */
function networksIn({ headers }: IncomingMessage, ofNetwork: number): Share[] {
  const client = clientIn(String(headers["x-forwarded-for"] ?? ""), config().TRUSTED_PROXIES);
  const { nearest, wider } = networksOf(client);
  return [{ prefix: nearest, factor: 1 }, ...wider].map(({ prefix, factor }) => ({
    key: prefix,
    most: ofNetwork * factor,
  }));
}

/** The rest of a body that did not arrive would be read as the next request. */
function refuseLate(response: ServerResponse) {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" };
  response.writeHead(408, headers).end("The form did not arrive in time. Try again.");
}
