import { CircleCheck, CircleMinus } from "lucide-react";

/** Whether a document is in force: never by colour alone. */
export function ActiveChip({ isActive }: { isActive: boolean }) {
  const Icon = isActive ? CircleCheck : CircleMinus;
  return (
    <span className={`status-chip ${isActive ? "is-ok" : "is-idle"}`}>
      <Icon className="ico" />
      {isActive ? "Active" : "Not active"}
    </span>
  );
}
