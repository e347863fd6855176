import type { Alert } from "#provider/contract/alerts.ts";

/** Whether a user has completed it (`docs/specification.md` section 4). */
export const isCompleted = ({ status }: Pick<Alert, "status">) => status === 3;

/** An alert's actions, each with its dialog. */
export const alertActions = [
  {
    intent: "complete",
    label: "Complete",
    confirm: "Complete alert",
    effect: "It turns green and no longer counts as open. You can reopen it.",
    field: { name: "note", label: "Note", hint: "What was found, or what was done" },
    isOffered: (alert: Pick<Alert, "status">) => !isCompleted(alert),
  },
  {
    intent: "assign",
    label: "Assign",
    confirm: "Assign alert",
    effect: "Its owner is notified by email. Leave the field empty for no owner.",
    field: { name: "owner", label: "Owner", hint: "Email address of a colleague who may see this alert" },
    isOffered: (alert: Pick<Alert, "status">) => !isCompleted(alert),
  },
  {
    intent: "reopen",
    label: "Reopen",
    confirm: "Reopen alert",
    effect: "It counts as open again, in its former colour.",
    field: { name: "reason", label: "Reason", hint: "Why it is opened again" },
    isOffered: isCompleted,
  },
];
