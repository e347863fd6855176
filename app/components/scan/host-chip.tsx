import { CircleCheck, CircleMinus, Clock, TriangleAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { Chip } from "./chip.tsx";

const states = {
  requested: { className: "is-idle", Icon: Clock, word: t("components.hostChip.requested") },
  confirmed: { className: "is-ok", Icon: CircleCheck, word: t("components.hostChip.confirmed") },
  missing: { className: "is-bad", Icon: TriangleAlert, word: t("components.hostChip.missing") },
  ended: { className: "is-idle", Icon: CircleMinus, word: t("components.hostChip.ended") },
};

/** Whether DNS proves a host: never by colour alone. */
export const HostChip = ({ state }: { state: keyof typeof states }) => (
  <Chip look={states[state]} word={states[state].word} isWhole />
);
