import { CircleCheck, MessageSquareWarning, OctagonAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { Chip, type Look } from "./chip.tsx";
import { alertInWords } from "./alert-words.ts";

/** By status (`docs/specification.md` section 2); green is also the default. */
const looks: Record<number, Look> = {
  1: { className: "is-bad", Icon: OctagonAlert },
  2: { className: "is-warn", Icon: MessageSquareWarning },
};
const completedLook: Look = { className: "is-ok", Icon: CircleCheck };

/** An alert's type, coloured by its status; icon and words say the same. */
export function AlertCell({ alert, status }: { alert: string; status: number }) {
  const type = alertInWords(alert);
  const completed = type ? t("components.alertCell.completed", { alert: type }) : t("common.completed");
  return <Chip look={looks[status] ?? completedLook} word={looks[status] ? type : completed} />;
}
