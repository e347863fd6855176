import type { RouterContextProvider } from "react-router";
import { dayOf, showInstant } from "../../../components/text/format.ts";
import { withTowns } from "../../../server/map/towns.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { asFailure } from "../../../server/provider/failure.ts";
import { getOffers, getUser, may, timeZoneOf } from "../../../server/sessions/current-user.ts";

/** Open alerts on a document's page. */
const shownAlerts = 5;

/** A document's newest scans and open alerts; undefined if the user may not see them. */
export async function readDocumentScans(context: Readonly<RouterContextProvider>, id: string) {
  const user = getUser(context);
  const offers = getOffers(context);
  if (!offers.alerts || !may(user, "alerts", "read")) return undefined;
  const provider = getProvider(context);
  const timeZone = timeZoneOf(user);
  try {
    const [scans, alerts] = await Promise.all([
      provider.listDocumentScans({ params: { id } }),
      provider.firstPage("listAlerts", { document_id: id, state: "open", per_page: String(shownAlerts) }),
    ]);
    return {
      scans: await withTowns(scans.map((scan) => ({ ...scan, at: showInstant(scan.at, timeZone) }))),
      alerts: alerts.map((alert) => ({ ...alert, date: dayOf(alert.date, timeZone) })),
      hasMap: offers.map && may(user, "map", "read"),
    };
  } catch (thrown) {
    // Rights on alerts may reach fewer documents than rights on documents.
    if (asFailure(thrown, 403, 404, 501)) return undefined;
    throw thrown;
  }
}

export type DocumentScans = NonNullable<Awaited<ReturnType<typeof readDocumentScans>>>;
