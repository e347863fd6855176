import type { ContentfulStatusCode } from "hono/utils/http-status";

/** Why a call is not answered as wished. Becomes the reply `{message, errors}` with its status (`docs/contract.md`). */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode;
  readonly errors: Record<string, string[]> | undefined;
  /** For 429 and 503: seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined;
  /** The limit that was reached just now, which an operator may want to know. */
  readonly reachedLimit: string | undefined;

  constructor(
    status: ContentfulStatusCode,
    message: string,
    more: { errors?: Record<string, string[]>; retryAfter?: number; reachedLimit?: string | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors;
    this.retryAfter = more.retryAfter;
    this.reachedLimit = more.reachedLimit;
  }
}

/** No token, or one that is no longer good. */
export const unauthorized = () => new HttpError(401, "Sign in first");

/** The access group doesn't give the right. */
export const forbidden = () => new HttpError(403, "Your access group does not allow this");

/** Missing, hidden by scope or another company's: all three answer alike, so that nothing is learnt. */
export const notFound = () => new HttpError(404, "Not found");

/**
 * A record that a right reaches: missing where it can't even be read, forbidden where it can. `ask` looks for it as far
 * as a right reaches.
 */
export async function findReachable<Row>(
  ask: (right: "read" | "write") => Promise<Row | undefined>,
  right: "read" | "write",
): Promise<Row> {
  const row = await ask(right);
  if (row) return row;
  throw right === "write" && (await ask("read")) ? forbidden() : notFound();
}

/** Something stands in the way, which the message names. */
export const conflict = (message: string) => new HttpError(409, message);

/** Fields to be put right: their messages by field name. */
export const invalid = (errors: Record<string, string | string[]>) =>
  new HttpError(422, "Check the fields below", {
    errors: Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field, [messages].flat()])),
  });

/** Too many attempts, or what `words` say; try again after `seconds`. `limit` is one that was reached just now. */
export const tooManyRequests = (
  seconds: number,
  { words = "Too many attempts", limit }: { words?: string | undefined; limit?: string | undefined } = {},
) => new HttpError(429, `${words}. Try again in ${formatWait(seconds)}.`, { retryAfter: seconds, reachedLimit: limit });

/** More is being done than there is room for; nothing was done of this. */
export const serviceUnavailable = (message: string, retryAfter: number) => new HttpError(503, message, { retryAfter });

function formatWait(seconds: number) {
  if (seconds <= 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
