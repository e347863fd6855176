import { say } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";

/** Whether a user has completed it (`docs/specification.md` section 4). */
export const isCompleted = ({ status }: Pick<Alert, "status">) => status === 3;

/** An alert's actions, each with its dialog. */
export const alertActions = [
  {
    intent: "complete",
    label: say("common.complete"),
    confirm: say("alerts.alertActions.completeAlert"),
    title: (number: string) => say("alerts.alertActions.completeTitle", { number }),
    effect: say("alerts.alertActions.completeEffect"),
    field: { name: "note", label: say("common.note"), hint: say("alerts.alertActions.completeHint") },
    isOffered: (alert: Pick<Alert, "status">) => !isCompleted(alert),
  },
  {
    intent: "assign",
    label: say("common.assign"),
    confirm: say("alerts.alertActions.assignAlert"),
    title: (number: string) => say("alerts.alertActions.assignTitle", { number }),
    effect: say("alerts.alertActions.assignEffect"),
    field: { name: "owner", label: say("common.owner"), hint: say("alerts.alertActions.assignHint") },
    isOffered: (alert: Pick<Alert, "status">) => !isCompleted(alert),
  },
  {
    intent: "reopen",
    label: say("common.reopen"),
    confirm: say("alerts.alertActions.reopenAlert"),
    title: (number: string) => say("alerts.alertActions.reopenTitle", { number }),
    effect: say("alerts.alertActions.reopenEffect"),
    field: { name: "reason", label: say("common.reason"), hint: say("alerts.alertActions.reopenHint") },
    isOffered: isCompleted,
  },
];
