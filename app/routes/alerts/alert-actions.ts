import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";

/** Whether a user has completed it (`docs/specification.md` section 4). */
export const isCompleted = ({ status }: Pick<Alert, "status">) => status === 3;

/** An alert's actions, each with its dialog. */
export const alertActions = [
  {
    intent: "complete",
    label: t("common.complete"),
    confirm: t("alerts.alertActions.completeAlert"),
    title: (number: string) => t("alerts.alertActions.completeTitle", { number }),
    effect: t("alerts.alertActions.completeEffect"),
    field: { name: "note", label: t("common.note"), hint: t("alerts.alertActions.completeHint") },
    isOffered: (alert: Pick<Alert, "status">) => !isCompleted(alert),
  },
  {
    intent: "assign",
    label: t("common.assign"),
    confirm: t("alerts.alertActions.assignAlert"),
    title: (number: string) => t("alerts.alertActions.assignTitle", { number }),
    effect: t("alerts.alertActions.assignEffect"),
    field: { name: "owner", label: t("common.owner"), hint: t("alerts.alertActions.assignHint") },
    isOffered: (alert: Pick<Alert, "status">) => !isCompleted(alert),
  },
  {
    intent: "reopen",
    label: t("common.reopen"),
    confirm: t("alerts.alertActions.reopenAlert"),
    title: (number: string) => t("alerts.alertActions.reopenTitle", { number }),
    effect: t("alerts.alertActions.reopenEffect"),
    field: { name: "reason", label: t("common.reason"), hint: t("alerts.alertActions.reopenHint") },
    isOffered: isCompleted,
  },
];
