import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { refusalKinds } from "../contract/fields.ts";
import type { Quota } from "./quota.ts";

type RefusalKind = (typeof refusalKinds)[number];

/** A refusal: becomes the reply `{message, errors}` with its status (`docs/contract.md`). */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode;
  readonly errors: Record<string, string[]> | undefined;
  /** Of 429 and 503: the seconds of the `Retry-After` header. */
  readonly retryAfter: number | undefined;
  /** The rate limit that was just reached, for the log. */
  readonly reachedLimit: string | undefined;
  /** Of 403: what the user has to do first. */
  readonly kind: RefusalKind | undefined;
  /** Of 400: the error code of OAuth 2.0. */
  readonly error: string | undefined;
  /** Of 429: the limit that refused it. */
  readonly quota: Quota | undefined;
  /** For how long caches may store it; not at all if it may be otherwise the next time. */
  readonly cacheSeconds: number | undefined;

  constructor(
    status: ContentfulStatusCode,
    message: string,
    more: Pick<
      Partial<HttpError>,
      "errors" | "retryAfter" | "reachedLimit" | "kind" | "error" | "quota" | "cacheSeconds"
    > = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors;
    this.retryAfter = more.retryAfter;
    this.reachedLimit = more.reachedLimit;
    this.kind = more.kind;
    this.error = more.error;
    this.quota = more.quota;
    this.cacheSeconds = more.cacheSeconds;
  }
}

/** No token, or an expired one. */
export const unauthorized = () => new HttpError(401, "Sign in first");

/** An API key that is none of ours, or no longer. */
export const unknownKey = () => new HttpError(401, "This API key is unknown, has expired or was revoked");

/** An API key that can't be one of ours, by its checksum. */
export const mistypedKey = () =>
  new HttpError(401, "This API key is not complete or has a wrong character: copy it again");

/** An API key in the address of a request. */
export const exposedKey = () =>
  new HttpError(
    401,
    "An API key in an address can be read in logs and histories: revoke it, make another one, and send that in the header Authorization: Bearer KEY",
  );

/** A call that API keys may not make, or not within their scope. */
export const forbiddenForKey = (isOutOfScope: boolean) =>
  new HttpError(
    403,
    isOutOfScope ? "The scope of this API key does not allow this" : "API keys may not do this: sign in to do it",
  );

/** A link whose token is unknown, used or expired. */
export const expiredLink = () => new HttpError(401, "This link is no longer valid. Ask for a new one.");

/** The user has neither signed in nor proved to be present in the last ten minutes. */
export const proofRequired = () => new HttpError(403, "Confirm first that it is you", { kind: "proof" });

/** The access group requires a second factor, and the session was opened without one. */
export const secondFactorRequired = () =>
  new HttpError(403, "Your access group requires a second factor: set it up first", { kind: "second factor" });

/** The access group lacks the right. */
export const forbidden = () => new HttpError(403, "Your access group does not allow this");

/** Missing, out of scope or another company's: the reply is the same, so nothing leaks. */
export const notFound = () => new HttpError(404, "Not found");

/** Finds a record in the scope of a right. Throws 404 if the user may not read it either, 403 if they may. */
export async function findReachable<Row>(
  find: (right: "read" | "write") => Promise<Row | undefined>,
  right: "read" | "write",
): Promise<Row> {
  const row = await find(right);
  if (row) return row;
  throw right === "write" && (await find("read")) ? forbidden() : notFound();
}

/** The record's state forbids it; the message says how. */
export const conflict = (message: string) => new HttpError(409, message);

/** Invalid fields: messages by field name. */
export const invalid = (errors: Record<string, string | string[]>) =>
  new HttpError(422, "Check the fields below", {
    errors: Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field, [messages].flat()])),
  });

/** Throws `invalid` for the fields that have an error. */
export function throwIfErrors(errors: Record<string, string | undefined>) {
  const entries = Object.entries(errors).flatMap(([field, error]) => (error === undefined ? [] : [[field, error]]));
  if (entries.length > 0) throw invalid(Object.fromEntries(entries) as Record<string, string>);
}

/** A rate limit was exceeded; `limit` is given when it was just reached. */
export const tooManyRequests = (seconds: number, { message = "Too many attempts", limit, quota }: Exceeded = {}) =>
  new HttpError(429, `${message}. Try again in ${formatWait(seconds)}.`, {
    retryAfter: seconds,
    reachedLimit: limit,
    quota,
  });

type Exceeded = { message?: string | undefined; limit?: string | undefined; quota?: Quota | undefined };

/** A queue is full; nothing was changed. */
export const serviceUnavailable = (message: string, retryAfter: number) => new HttpError(503, message, { retryAfter });

function formatWait(seconds: number) {
  if (seconds <= 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
