import type { RouterContextProvider } from "react-router";
import { getUser, timeZoneOf } from "./sessions/current-user.ts";
import { readList, readWish } from "./lists/lists.ts";
import { getProvider } from "./provider/context.ts";
import { asFailure } from "./provider/failure.ts";

type HistoryCall = "documentHistory" | "userHistory" | "branchHistory" | "alertHistory" | "accessGroupHistory";

/**
 * A record's History tab, or undefined if the provider or the access group does not show histories. While another tab is
 * open it has no rows, and its failure does not break that tab.
 */
export async function readHistory(
  context: Readonly<RouterContextProvider>,
  call: HistoryCall,
  { params, url }: { params: { id: string }; url: URL },
) {
  const isOpen = url.searchParams.get("tab") === "history";
  try {
    const wish = readWish(isOpen ? url : new URL(url.origin), [], ["at"]);
    const part = await readList(getProvider(context), call, wish, { params });
    return { ...part, rows: isOpen ? part.rows : [], timeZone: timeZoneOf(getUser(context)) };
  } catch (thrown) {
    // A provider without histories replies 404; whether the record exists is the page's own call to find out.
    if (isOpen ? asFailure(thrown, 403, 404, 501) : asFailure(thrown)) return undefined;
    throw thrown;
  }
}
