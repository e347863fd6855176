import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { MiddlewareFunction } from "react-router";
import { isMultipart } from "#lib/intake/multipart.ts";
import { secondsInMs } from "#lib/units.ts";
import { pageOfForm } from "./page-user.ts";
import { readSession } from "./session.ts";

/** Without scripts nothing stops a double press: a form that its page sends again gets the answer of the first. */

const maxBytes = 256 * 1024;

/** What was not refused. A process knows its own alone: of two behind a balancer the other would act again. */
const answers = new LRUCache<string, Promise<Response | undefined>>({ max: 500, ttl: secondsInMs(15) });

export const sentOnce: MiddlewareFunction<Response> = async ({ request }, next) => {
  const key = await keyOf(request);
  if (!key) return next();
  const first = await answers.get(key);
  if (first) return first.clone();
  const { promise, resolve } = Promise.withResolvers<Response | undefined>();
  answers.set(key, promise);
  try {
    const response = await next();
    if (response.status < 400) resolve(await whole(response.clone()).catch(() => undefined));
    return response;
  } finally {
    resolve(undefined);
  }
};

/** The same for one user's form of one page, unchanged; undefined for what scripts send, which stop a second press. */
async function keyOf(request: Request): Promise<string | undefined> {
  const isByScript = new URL(request.url).pathname.endsWith(".data");
  const isSmall = Number(request.headers.get("content-length") ?? Infinity) <= maxBytes;
  if (request.method !== "POST" || isByScript || !isSmall || isMultipart(request)) return undefined;
  const token = (await readSession(request)).get("token");
  if (!token) return undefined;
  const sent = await request.clone().text();
  return pageOfForm(sent) && hash("sha256", [token, request.url, sent].join("\n"), "base64url");
}

const whole = async ({ status, headers, body }: Response) => {
  const bytes = body && (await new Response(body).arrayBuffer());
  return new Response(bytes, { status, headers });
};
