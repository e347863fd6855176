import { say } from "#messages/staff.ts";
import { type FailureReason, PageWorkBusy, PageWorkFailed } from "#page-files/refusals.ts";
import type { Requester } from "#page-files/requesters.ts";
import type { CurrentUser } from "#provider/contract/users.ts";
import { failure } from "./provider/failure.ts";

export const requesterOf = ({ id, company }: CurrentUser, { signal }: Request): Requester => ({
  tenant: company ? `company ${company.id}` : `user ${id}`,
  priority: "staff",
  signal,
});

const reasons: Record<FailureReason, string> = {
  time: say("server.pageWork.takesTooLong"),
  memory: say("server.pageWork.takesTooMuchMemory"),
  unreadable: say("server.pageWork.unreadable"),
};

export function toPageFailure(error: unknown): unknown {
  if (error instanceof PageWorkFailed) return failure(422, { kind: "refused", message: reasons[error.reason] });
  if (!(error instanceof PageWorkBusy)) return error;
  return failure(503, { kind: "out-of-order", message: say("server.pageWork.busy"), retryAfter: error.retryAfter });
}
