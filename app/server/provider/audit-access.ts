import { type AccessEntry, originOf } from "#provider/audit/access-trail.ts";
import { networksOf } from "#lib/storage/limits/networks.ts";
import type { Context } from "../request/router-context.ts";
import { browserLabel } from "../sessions/browser-label.ts";
import { clientAddress } from "../request/client-address.ts";
import { getUser } from "../sessions/current-user.ts";
import { resources } from "../process/resources.ts";

type AccessDetails = Pick<AccessEntry, "action" | "subject" | "changes" | "within">;

/** Adds access to the embedded provider's audit trail that none of the contract's calls reveals. */
export async function recordAccess(context: Context, request: Request, what: AccessDetails) {
  const { embedded } = resources();
  const { id, name, company } = getUser(context);
  if (!embedded || !company) return;
  const label = browserLabel(request.headers.get("user-agent") ?? "");
  const origin = originOf(networksOf(clientAddress(request)), { label });
  const within = what.within && `${what.within} ${origin.network}`;
  const by = { company_id: company.id, actor: { id, name }, userId: id, ...origin };
  embedded.access.record({ ...what, ...by, ...(within && { within }) });
}
