import { addReason, changeReason, moveReason, removeReason, withdrawalReasonsOf } from "./withdrawal-reasons.ts";
import {
  createWithdrawalReason,
  listWithdrawalReasons,
  moveWithdrawalReason,
  removeWithdrawalReason,
  updateWithdrawalReason,
} from "../contract/withdrawal-reasons.ts";
import type { On } from "../http/endpoint.ts";
import type { Services } from "../services.ts";

/** The company's reasons for withdrawing documents. */
export function serveWithdrawalReasons(on: On, services: Services) {
  on(listWithdrawalReasons, ({ actor }) => withdrawalReasonsOf(services.db, actor.company_id));
  on(createWithdrawalReason, ({ caller, body }) => addReason(services, caller, body));
  on(updateWithdrawalReason, ({ caller, params, body }) => changeReason(services, caller, params.id, body));
  on(moveWithdrawalReason, ({ caller, params, body }) => moveReason(services, caller, params.id, body.place));
  on(removeWithdrawalReason, ({ caller, params }) => removeReason(services, caller, params.id));
}
