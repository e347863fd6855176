import { PageWorkBusy, PageWorkFailed } from "#page-files/refusals.ts";
import type { Requester } from "#page-files/requesters.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import { failure } from "./provider/failure.ts";

/** Page work of a signed-in user, queued with that of their company and aborted with the request. */
export const requesterOf = ({ id, company }: CurrentUser, { signal }: Request): Requester => ({
  tenant: company ? `company ${company.id}` : `user ${id}`,
  priority: "staff",
  signal,
});

/** Maps an error of page work to a failure that users can read, and returns others as they are. */
export function toPageFailure(error: unknown): unknown {
  if (error instanceof PageWorkFailed) return failure(422, { kind: "refused", message: error.message });
  if (!(error instanceof PageWorkBusy)) return error;
  return failure(503, { kind: "out-of-order", message: error.message, retryAfter: error.retryAfter });
}
