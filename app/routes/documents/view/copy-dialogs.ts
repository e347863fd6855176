import { t } from "#lib/messages/staff.ts";
import { showDate } from "../../../components/text/format.ts";

/** The dialogs about one copy, by the names in their addresses. */
export const copyDialogs = { withdraw: "withdraw-copy", restore: "restore-copy" } as const;

/** Of a withdrawn copy: `on 21-11-2026 as lost: Found burnt`. */
export function withdrawnNote({ reason, since }: { reason: string; since: string }, note: string): string {
  const date = showDate(since);
  return note
    ? t("documents.copyDialogs.withdrawnOnWithNote", { reason, date, note })
    : t("documents.copyDialogs.withdrawnOn", { reason, date });
}
