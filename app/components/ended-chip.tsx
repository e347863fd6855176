import { CalendarX, CircleMinus } from "lucide-react";

/** What has ended a document: never by colour alone. */
export function EndedChip({ isExpired }: { isExpired: boolean }) {
  const Icon = isExpired ? CalendarX : CircleMinus;
  return (
    <span className="status-chip is-idle">
      <Icon className="ico" />
      {isExpired ? "Expired" : "Withdrawn"}
    </span>
  );
}
