import { data } from "react-router";
import { asFailure } from "../../server/provider/failure.ts";

/** What the page says in place of a session; rethrows what is no refusal. */
export function asNotSignedIn(thrown: unknown, again: string) {
  const failed = asFailure(thrown);
  if (!failed) throw thrown;
  const message = Object.values(failed.errors ?? {})[0]?.[0] ?? failed.message;
  const headers: Record<string, string> = failed.retryAfter ? { "retry-after": String(failed.retryAfter) } : {};
  // The provider is in order: the one behind it is not.
  const status = failed.status === 503 ? 504 : failed.status;
  return data({ message, again }, { status, headers });
}
