import { t } from "#lib/messages/staff.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { inertPolicy } from "../../server/request/security.ts";
import type { Route } from "./+types/calendar-feed";

const plain = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/** A user's iCalendar feed, by the secret in its address; not found for any other. */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  try {
    if (!params.secret.endsWith(".ics")) return notFound();
    const feed = await getProvider(context).readCalendarFeed({ params: { secret: params.secret.slice(0, -4) } });
    const etag = feed.headers.get("etag") ?? "";
    const headers = {
      ...plain,
      "content-type": feed.headers.get("content-type") ?? "text/calendar",
      "cache-control": feed.headers.get("cache-control") ?? "private, no-store",
      "content-security-policy": inertPolicy,
      etag,
    };
    const etags = request.headers.get("if-none-match")?.split(/\s*,\s*/) ?? [];
    const isKnown = etag !== "" && etags.some((one) => one.replace(/^W\//, "") === etag);
    if (!isKnown) return new Response(feed.body, { headers });
    await feed.body?.cancel();
    return new Response(null, { status: 304, headers });
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    const { status, message, retryAfter } = failed;
    if (status === 404 || status === 422 || status === 501) return notFound();
    const headers = { ...plain, ...(retryAfter && { "retry-after": String(retryAfter) }) };
    return new Response(`${message}\n`, { status, headers });
  }
}

const notFound = () => new Response(`${t("documents.calendarFeed.noSuchCalendar")}\n`, { status: 404, headers: plain });
