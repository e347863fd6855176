import { CircleCheck, MessageSquareWarning, OctagonAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { alertInWords } from "./alert-words.ts";

/** By status (`docs/specification.md` section 2); green is also the default. */
const looks: Record<number, { className: string; Icon: typeof CircleCheck }> = {
  1: { className: "is-bad", Icon: OctagonAlert },
  2: { className: "is-warn", Icon: MessageSquareWarning },
};
const completedLook = { className: "is-ok", Icon: CircleCheck };

/** An alert's type, coloured by its status; icon and words say the same. */
export function AlertCell({ alert, status }: { alert: string; status: number }) {
  const { className, Icon } = looks[status] ?? completedLook;
  const type = alertInWords(alert);
  return (
    <span className={`status-chip ${className}`}>
      <Icon className="ico" />
      {looks[status] ? type : type ? t("components.alertCell.completed", { alert: type }) : t("common.completed")}
    </span>
  );
}
