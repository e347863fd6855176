import { CircleCheck, CircleMinus } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { Chip } from "./chip.tsx";

/** Whether a document is in force: never by colour alone. */
export function ActiveChip({ isActive }: { isActive: boolean }) {
  return isActive ? (
    <Chip look={{ className: "is-ok", Icon: CircleCheck }} word={t("common.active")} />
  ) : (
    <Chip look={{ className: "is-idle", Icon: CircleMinus }} word={t("components.statusChip.notActive")} />
  );
}
