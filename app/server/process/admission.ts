import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { config } from "#lib/config.ts";
import { say } from "#lib/messages/staff.ts";
import { networksOf } from "#lib/storage/limits/networks.ts";
import { createReservations } from "#lib/storage/files/reservations.ts";
import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import { secondsInMs } from "#lib/units.ts";
import { requestContext } from "../request/request-context.ts";
import { returningBrowser } from "../sessions/browser.ts";
import { clientIn } from "../request/client-address.ts";
import { log } from "./log.ts";
import { pathOf } from "../request/target.ts";
import { createArrivals } from "../request/whole-body.ts";

/** Admits passwords no faster than they are hashed; requests that wait cost far less than refusal pages. */

const passwordPath = /^\/+(api\/+)?(login|signup)([/.]|$)/;

/** Whether a request carries a password, however its URL is spelled: the router decodes it and ignores case. */
export const carriesPassword = ({ method, url = "" }: Pick<IncomingMessage, "method" | "url">) =>
  method === "POST" && passwordPath.test(pathOf(url));

const defaults = {
  /** Requests admitted at once: fewer than the queue for hashing holds, so that no admitted one is refused there. */
  concurrency: 32,
  maxWaiting: 1000,
  /** Requests of one network that wait or are admitted; 4 and 16 times as many of the networks around it. */
  maxPerNetwork: 20,
  /** The same of one returning browser, whose cookie anyone may use. */
  maxPerBrowser: 4,
  maxArriving: 1000,
  /** Requests too long for a form with a password, which the app refuses. */
  maxLong: 4,
  bodyTimeout: () => AbortSignal.timeout(secondsInMs(10)),
  /** Random, so that requests that came together do not come again together. */
  queueTimeout: () => AbortSignal.timeout(Math.floor(secondsInMs(4 + Math.random() * 4))),
  /** Delays the release of a refused request's place, so that immediate retries gain nothing. */
  refusalDelay: (): Promise<void> => wait(secondsInMs(1), undefined, { ref: false }),
};

const refused = new Error("refused");

export function admitInTurn(
  handle: RequestListener,
  reject: RequestListener,
  options: Partial<typeof defaults> = {},
): RequestListener {
  const { concurrency, maxWaiting, maxPerNetwork, maxPerBrowser, maxArriving, maxLong, ...times } = {
    ...defaults,
    ...options,
  };
  const queue = createWorkQueue({ concurrency, maxWaiting, refuse: () => refused });
  const wholeBody = createArrivals({ maxAtOnce: maxArriving });
  const present = createReservations<string>();
  let heldBack = 0;

  async function admit(request: IncomingMessage, response: ServerResponse) {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const arrival = await wholeBody(request, AbortSignal.any([gone.signal, times.bodyTimeout()]));
    if (response.destroyed) return;
    if (arrival === "late") return refuseLate(response);
    if (arrival === "here") return takeTurn(request, response, gone.signal);
    const leave = occupy([{ key: "long forms", max: maxLong }]);
    if (!leave) throw refused;
    response.once("close", leave);
    handle(request, response);
  }

  function occupy(limits: Limit[]) {
    if (limits.some(({ key, max }) => present.of(key) >= max)) return undefined;
    const taken = limits.map(({ key }) => present.reserve(key, 1));
    return () => taken.forEach((leave) => leave());
  }

  async function takeTurn(request: IncomingMessage, response: ServerResponse, gone: AbortSignal) {
    const signal = AbortSignal.any([gone, times.queueTimeout()]);
    const browser = await returningBrowser(request.headers.cookie);
    const isFirst = browser !== undefined;
    const leave = occupy(isFirst ? [{ key: browser, max: maxPerBrowser }] : networkLimits(request, maxPerNetwork));
    if (!leave) return holdBack(signal);
    try {
      await queue.run(() => untilAnsweredOrIdle(request, response), { isFirst, signal });
    } finally {
      leave();
    }
  }

  async function holdBack(signal: AbortSignal) {
    if (heldBack >= maxWaiting) throw refused;
    heldBack++;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    heldBack--;
    throw refused;
  }

  const untilAnsweredOrIdle = (request: IncomingMessage, response: ServerResponse) =>
    new Promise<void>((resolve) => {
      const isRefusal = () => response.statusCode === 429 || response.statusCode === 503;
      response.once("close", () => (isRefusal() ? void times.refusalDelay().then(resolve) : resolve()));
      const current = requestContext();
      if (current) current.waits = resolve;
      handle(request, response);
    });

  return (request, response) => {
    admit(request, response).catch((err: unknown) => {
      if (err !== refused) log.error({ err }, "a request failed");
      if (!response.destroyed) reject(request, response);
    });
  };
}

type Limit = { key: string; max: number };

function networkLimits({ headers }: IncomingMessage, maxPerNetwork: number): Limit[] {
  const client = clientIn(String(headers["x-forwarded-for"] ?? ""), config().TRUSTED_PROXIES);
  const { nearest, wider } = networksOf(client);
  return [{ prefix: nearest, factor: 1 }, ...wider].map(({ prefix, factor }) => ({
    key: prefix,
    max: maxPerNetwork * factor,
  }));
}

/** Closes the connection, as the rest of the body would be parsed as the next request. */
function refuseLate(response: ServerResponse) {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" };
  response.writeHead(408, headers).end(say("server.process.admission.late"));
}
