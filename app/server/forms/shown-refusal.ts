import { asFailure } from "../provider/failure.ts";

/** A refusal that concerns no field of a page, with the reply's status and headers; rethrows what has an error page. */
export function shownRefusal(thrown: unknown): { refused: string; init: ResponseInit } {
  const failed = asFailure(thrown);
  if (!failed || [401, 403, 404].includes(failed.status)) throw thrown;
  const { status, message, errors = {}, retryAfter } = failed;
  const headers: HeadersInit = retryAfter ? { "retry-after": String(retryAfter) } : {};
  return { refused: Object.values(errors).flat()[0] ?? message, init: { status, headers } };
}
