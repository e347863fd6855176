import type { Context } from "./request/router-context.ts";
import { getUser, timeZoneOf } from "./sessions/current-user.ts";
import { readList, parseListQuery } from "./lists/lists.ts";
import { getProvider } from "./provider/context.ts";
import { asFailure } from "./provider/failure.ts";

type HistoryCall = "documentHistory" | "userHistory" | "branchHistory" | "alertHistory" | "accessGroupHistory";

/** Undefined if the provider or the access group shows no history. No rows unless its tab is open. */
export async function readHistory(
  context: Context,
  call: HistoryCall,
  { params, url }: { params: { id: string }; url: URL },
) {
  const isOpen = url.searchParams.get("tab") === "history";
  try {
    const query = parseListQuery(isOpen ? url : new URL(url.origin), call);
    const part = await readList(getProvider(context), call, query, { params });
    return { ...part, rows: isOpen ? part.rows : [], timeZone: timeZoneOf(getUser(context)) };
  } catch (thrown) {
    // Providers without histories answer 404, as for a missing record. While another tab is open no failure matters.
    if (isOpen ? asFailure(thrown, 403, 404, 501) : asFailure(thrown)) return undefined;
    throw thrown;
  }
}
