import { parseListQuery, readList } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Context } from "../../server/request/router-context.ts";
import { choiceOf, eventCalled } from "./webhook-words.ts";

/** A webhook with a page of its deliveries, and what they are filtered by. */
export async function readWebhook(context: Context, params: { id: string }, url: URL) {
  const provider = getProvider(context);
  const query = parseListQuery(url, "listWebhookDeliveries", ["state", "event"]);
  const choice = choiceOf(query.filters.state);
  const event = eventCalled(query.filters.event);
  const filters = { ...(choice && { state: choice.value }), ...(event && { event }) };
  const [webhook, part] = await Promise.all([
    provider.getWebhook({ params }),
    readList(
      provider,
      "listWebhookDeliveries",
      { ...query, filters: { ...filters, ...(choice && { state: choice.state }) } },
      { params },
    ),
  ]);
  return { webhook, part, filters };
}
