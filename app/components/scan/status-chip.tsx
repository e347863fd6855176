import { CircleCheck, CircleMinus } from "lucide-react";
import { t } from "#lib/messages/staff.ts";

/** Whether a document is in force: never by colour alone. */
export function ActiveChip({ isActive }: { isActive: boolean }) {
  const Icon = isActive ? CircleCheck : CircleMinus;
  return (
    <span className={`status-chip ${isActive ? "is-ok" : "is-idle"}`}>
      <Icon className="ico" />
      {isActive ? t("common.active") : t("components.statusChip.notActive")}
    </span>
  );
}
