import { t } from "#lib/messages/staff.ts";
import { asFailure } from "./failure.ts";
import { lackingOffer, type Offer, offersOf } from "./offers.ts";
import type { Context } from "../request/router-context.ts";
import { inertPolicy } from "../request/security.ts";
import { fetchCurrentUser } from "../sessions/current-user.ts";

/** Headers that browsers get with a provider's file; no others. */
const forwarded = [
  "accept-ranges",
  "content-disposition",
  "content-length",
  "content-range",
  "content-type",
  "etag",
  "repr-digest",
];

/** A provider's file for the browser, which neither runs nor stores it; a public one is cached as the provider says. */
export function forwardFile(file: Response, { isPublic = false } = {}): Response {
  const cacheControl = isPublic ? file.headers.get("cache-control") : null;
  const headers = new Headers({
    "content-security-policy": inertPolicy,
    "cache-control": cacheControl ?? "private, no-store",
  });
  for (const name of forwarded) {
    const value = file.headers.get(name);
    if (value) headers.set(name, value);
  }
  return new Response(file.body, { status: file.status, headers });
}

/** The same for a file that is made on request; a refusal is a line of text, which browsers show in its place. */
export async function forwardMadeFile(file: Promise<Response>): Promise<Response> {
  try {
    return forwardFile(await file);
  } catch (thrown) {
    const failed = asFailure(thrown, 403, 404, 409, 422, 429, 501, 503);
    if (!failed) throw thrown;
    const { status, retryAfter, errors = {} } = failed;
    const message =
      Object.values(errors).flat().join(" ") || failed.message || t("server.provider.forwardFile.noSuchFile");
    const headers = new Headers({ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
    if (retryAfter) headers.set("retry-after", String(retryAfter));
    return new Response(`${message}\n`, { status, headers });
  }
}

/** The same for a file that other providers need not offer. */
export const forwardOfferedFile = (context: Context, offer: Offer, file: Promise<Response>) =>
  forwardMadeFile(orNotOffered(context, offer, file));

async function orNotOffered(context: Context, offer: Offer, file: Promise<Response>) {
  try {
    return await file;
  } catch (thrown) {
    // Only then is it worth a call to learn which provider it is.
    const isOffered = !asFailure(thrown, 404, 501) || offersOf(await fetchCurrentUser(context))[offer];
    throw isOffered ? thrown : lackingOffer(offer);
  }
}

export function rangeOf({ headers }: Request): Record<string, string> {
  const headersSent = ["range", "if-range"].map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(headersSent.filter((pair): pair is [string, string] => pair[1] !== null));
}
