import type { Alert } from "#provider/contract/alerts.ts";

/** Whether the alert has been dealt with (`docs/specification.md` section 4). */
export const isCompleted = ({ status }: Pick<Alert, "status">) => status === 3;

/** What can be done with an alert: each asks for words first. */
export const acts = [
  {
    go: "complete",
    label: "Complete",
    confirm: "Complete alert",
    effect: "It turns green and no longer counts as open. You can reopen it.",
    field: { name: "note", label: "Note", hint: "What was found, or what was done" },
    isOffered: (alert: Pick<Alert, "status">) => !isCompleted(alert),
  },
  {
    go: "reopen",
    label: "Reopen",
    confirm: "Reopen alert",
    effect: "It counts as open again, in the colour that it had.",
    field: { name: "reason", label: "Reason", hint: "Why it is taken up again" },
    isOffered: isCompleted,
  },
];
