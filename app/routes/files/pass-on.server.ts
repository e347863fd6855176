import { asFailure } from "../../server/provider/failure.ts";
import { inertPolicy } from "../../server/request/security.ts";

/** Headers of a provider's file that browsers get as well; any others stay behind. */
const passed = ["accept-ranges", "content-disposition", "content-length", "content-range", "content-type"];

/**
 * A provider's file for the browser, which must not take it for a page of ours whatever is in it, nor store it, whatever
 * the provider says, unless anybody may see it.
 */
export function passOn(file: Response, isOpenToAll = false): Response {
  const keeping = isOpenToAll ? file.headers.get("cache-control") : null;
  const headers = new Headers({
    "content-security-policy": inertPolicy,
    "cache-control": keeping ?? "private, no-store",
  });
  for (const name of passed) {
    const value = file.headers.get(name);
    if (value) headers.set(name, value);
  }
  return new Response(file.body, { status: file.status, headers });
}

/** The same of a file that has to be made first; why it can't be, or not yet, is a line of text with its status. */
export async function passOnMade(file: Promise<Response>, isOpenToAll = false): Promise<Response> {
  try {
    return passOn(await file, isOpenToAll);
  } catch (thrown) {
    const failed = asFailure(thrown, 422, 503);
    if (!failed) throw thrown;
    const { message, status, retryAfter } = failed;
    const headers = new Headers({ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
    if (retryAfter) headers.set("retry-after", String(retryAfter));
    return new Response(`${message}\n`, { status, headers });
  }
}

/** The part of a file that the browser asks for. */
export function rangeOf(request: Request): Record<string, string> {
  const range = request.headers.get("range");
  return range ? { range } : {};
}
