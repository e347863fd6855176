import type { RouterContextProvider } from "react-router";
import { getUser, timeZoneOf } from "./sessions/current-user.ts";
import { readList, parseListQuery } from "./lists/lists.ts";
import { getProvider } from "./provider/context.ts";
import { asFailure } from "./provider/failure.ts";

type HistoryCall = "documentHistory" | "userHistory" | "branchHistory" | "alertHistory" | "accessGroupHistory";

/**
 * What a record's History tab shows, or undefined where there is to be no such tab: the provider or the access group
 * does not tell it. Without rows while another tab is open, which it then can't take with it by failing.
 */
export async function readHistory(
  context: Readonly<RouterContextProvider>,
  call: HistoryCall,
  { params, url }: { params: { id: string }; url: URL },
) {
  const isOpen = url.searchParams.get("tab") === "history";
  try {
    const query = parseListQuery(isOpen ? url : new URL(url.origin), [], ["at"]);
    const part = await readList(getProvider(context), call, query, { params });
    return { ...part, rows: isOpen ? part.rows : [], timeZone: timeZoneOf(getUser(context)) };
  } catch (thrown) {
    // A provider that has no histories answers 404, as if the record were missing; the page itself knows better.
    if (isOpen ? asFailure(thrown, 403, 404, 501) : asFailure(thrown)) return undefined;
    throw thrown;
  }
}
