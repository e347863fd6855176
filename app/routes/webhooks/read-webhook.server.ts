import { parseListQuery, readList } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { eventCalled, stateCalled } from "./webhook-words.ts";

/** A webhook with a page of its deliveries, and what they are filtered by. */
export async function readWebhook(context: Context, params: { id: string }, url: URL) {
  const provider = getProvider(context);
  const query = parseListQuery(url, ["state", "event"], ["created_at"]);
  const state = stateCalled(query.filters.state);
  const event = eventCalled(query.filters.event);
  const filters = { ...(state && { state }), ...(event && { event }) };
  const [webhook, part] = await Promise.all([
    provider.getWebhook({ params }),
    readList(provider, "listWebhookDeliveries", { ...query, filters }, { params }),
  ]);
  return { webhook, part, filters };
}
