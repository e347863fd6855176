import { CircleCheck, CircleMinus, Clock, OctagonX } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { Chip } from "./chip.tsx";

const states = {
  next: { className: "is-idle", Icon: Clock, word: t("components.sealKeyChip.next") },
  active: { className: "is-ok", Icon: CircleCheck, word: t("components.sealKeyChip.inUse") },
  retired: { className: "is-idle", Icon: CircleMinus, word: t("components.sealKeyChip.retired") },
  revoked: { className: "is-bad", Icon: OctagonX, word: t("components.sealKeyChip.revoked") },
};

/** Whether a seal key signs, and whether what it signed counts: never by colour alone. */
export const SealKeyChip = ({ state }: { state: keyof typeof states }) => (
  <Chip look={states[state]} word={states[state].word} isWhole />
);
