import { showDate } from "../../components/format.ts";

/** The dialogs about one copy, by the names in their addresses. */
export const copyDialogs = { withdraw: "withdraw-copy", restore: "restore-copy" } as const;

const reasons: Record<string, string> = { lost: " as lost", destroyed: " as destroyed" };

/** Of a withdrawn copy: `on 21-11-2026 as lost`. */
export const withdrawnOn = ({ reason, since }: { reason: string; since: string }) =>
  `on ${showDate(since)}${reasons[reason] ?? ""}`;
