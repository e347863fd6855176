import { CircleCheck, CircleMinus, Clock, TriangleAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";

const states = {
  requested: { className: "is-idle", Icon: Clock, word: t("components.hostChip.requested") },
  confirmed: { className: "is-ok", Icon: CircleCheck, word: t("components.hostChip.confirmed") },
  missing: { className: "is-bad", Icon: TriangleAlert, word: t("components.hostChip.missing") },
  ended: { className: "is-idle", Icon: CircleMinus, word: t("components.hostChip.ended") },
};

/** Whether DNS proves a host: never by colour alone. */
export function HostChip({ state }: { state: keyof typeof states }) {
  const { className, Icon, word } = states[state];
  return (
    <span className={`status-chip whitespace-nowrap ${className}`}>
      <Icon className="ico" />
      {word}
    </span>
  );
}
