import type { RouterContextProvider } from "react-router";
import { type AccessEntry, originOf } from "#provider/audit/access-trail.ts";
import { networksOf } from "#storage/networks.ts";
import { browserLabel } from "../sessions/browser-label.ts";
import { clientAddress } from "../request/client-address.ts";
import { getUser } from "../sessions/current-user.ts";
import { resources } from "../process/resources.ts";

/** What the web app tells the embedded provider's audit trail, as no call of the contract shows it. */

type Context = Readonly<RouterContextProvider>;
type What = Pick<AccessEntry, "action" | "subject" | "changes" | "within">;

/** Notes access by the signed-in user; nothing in front of another provider. */
export async function noteAccess(context: Context, request: Request, what: What) {
  const { embedded } = resources();
  const { id, name, company } = getUser(context);
  if (!embedded || !company) return;
  const label = browserLabel(request.headers.get("user-agent") ?? "");
  const origin = originOf(networksOf(clientAddress(request)), { label });
  const within = what.within && `${what.within} ${origin.network}`;
  const by = { company_id: company.id, actor: { id, name }, userId: id, ...origin };
  embedded.access.record({ ...what, ...by, ...(within && { within }) });
}
