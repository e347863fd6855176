import { AsyncResource } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { t } from "#lib/messages/staff.ts";
import { networksOf } from "#lib/storage/limits/networks.ts";
import { createReservations } from "#lib/storage/files/reservations.ts";
import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import { secondsInMs } from "#lib/units.ts";
import { requestContext } from "../request/request-context.ts";
import { returningBrowser } from "../sessions/browser.ts";
import { clientAddress } from "../request/client-address.ts";
import { pathOf, targetOf } from "../request/target.ts";
import { createArrivals } from "../request/whole-body.ts";

/** Admits passwords no faster than they are hashed; requests that wait cost far less than refusal pages. */

const passwordPath = /^\/+(api\/+)?(login|signup)([/.]|$)/;

/** Whether a request carries a password, however its URL is spelled: the router decodes it and ignores case. */
export const carriesPassword = ({ method, url }: Pick<Request, "method" | "url">) =>
  method === "POST" && passwordPath.test(pathOf(targetOf(url)));

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

type Next = () => Promise<Response>;

/** Returns what answers a request in its turn, or with undefined if there is no room for it. */
export function admitInTurn(options: Partial<typeof defaults> = {}) {
  const { concurrency, maxWaiting, maxPerNetwork, maxPerBrowser, maxArriving, maxLong, ...times } = {
    ...defaults,
    ...options,
  };
  const queue = createWorkQueue({ concurrency, maxWaiting, refuse: () => refused });
  const wholeBody = createArrivals({ maxAtOnce: maxArriving });
  const present = createReservations<string>();
  let heldBack = 0;

  async function admit(request: Request, next: Next): Promise<Response> {
    const arrival = await wholeBody(request, AbortSignal.any([request.signal, times.bodyTimeout()]));
    if (arrival === "late") return late();
    if (arrival === "here") return takeTurn(request, next);
    const leave = occupy([{ key: "long forms", max: maxLong }]);
    if (!leave) throw refused;
    return next().finally(leave);
  }

  function occupy(limits: Limit[]) {
    if (limits.some(({ key, max }) => present.of(key) >= max)) return undefined;
    const reservations = limits.map(({ key }) => present.reserve(key, 1));
    return () => reservations.forEach((leave) => leave());
  }

  async function takeTurn(request: Request, next: Next): Promise<Response> {
    const signal = AbortSignal.any([request.signal, times.queueTimeout()]);
    const browser = await returningBrowser(request.headers.get("cookie"));
    const isFirst = browser !== undefined;
    const leave = occupy(isFirst ? [{ key: browser, max: maxPerBrowser }] : networkLimits(request, maxPerNetwork));
    if (!leave) return holdBack(signal);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    // In this request's context, not in that of the one whose end makes room.
    const work = AsyncResource.bind(() => {
      const free = untilAnsweredOrIdle(request, promise);
      resolve(next());
      return free;
    });
    queue.run(work, { isFirst, signal }).catch(reject).finally(leave);
    return promise;
  }

  async function holdBack(signal: AbortSignal): Promise<never> {
    if (heldBack >= maxWaiting) throw refused;
    heldBack++;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    heldBack--;
    throw refused;
  }

  const untilAnsweredOrIdle = (request: Request, answer: Promise<Response>) =>
    new Promise<void>((resolve) => {
      const isRefusal = ({ status }: Response) => status === 429 || status === 503;
      answer.then((response) => (isRefusal(response) ? times.refusalDelay().then(resolve) : resolve()), resolve);
      request.signal.addEventListener("abort", () => resolve(), { once: true });
      const current = requestContext();
      if (current) current.waits = resolve;
    });

  return (request: Request, next: Next): Promise<Response | undefined> =>
    admit(request, next).catch((err: unknown) => {
      if (err === refused) return undefined;
      throw err;
    });
}

type Limit = { key: string; max: number };

function networkLimits(request: Request, maxPerNetwork: number): Limit[] {
  const { nearest, wider } = networksOf(clientAddress(request));
  return [{ prefix: nearest, factor: 1 }, ...wider].map(({ prefix, factor }) => ({
    key: prefix,
    max: maxPerNetwork * factor,
  }));
}

/** Closes the connection, as the rest of the body would be parsed as the next request. */
function late(): Response {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" };
  return new Response(t("server.process.admission.late"), { status: 408, headers });
}
