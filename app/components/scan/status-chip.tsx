import { CircleCheck, CircleMinus } from "lucide-react";
import { say } from "#lib/messages/staff.ts";

/** Whether a document is in force: never by colour alone. */
export function ActiveChip({ isActive }: { isActive: boolean }) {
  const Icon = isActive ? CircleCheck : CircleMinus;
  return (
    <span className={`status-chip ${isActive ? "is-ok" : "is-idle"}`}>
      <Icon className="ico" />
      {isActive ? say("common.active") : say("components.statusChip.notActive")}
    </span>
  );
}
