import { CircleCheck, CircleMinus, Clock, OctagonX } from "lucide-react";

const states = {
  next: { className: "is-idle", Icon: Clock, word: "Next" },
  active: { className: "is-ok", Icon: CircleCheck, word: "In use" },
  retired: { className: "is-idle", Icon: CircleMinus, word: "Retired" },
  revoked: { className: "is-bad", Icon: OctagonX, word: "Revoked" },
};

/** Whether a seal key signs, and whether what it signed counts: never by colour alone. */
export function SealKeyChip({ state }: { state: keyof typeof states }) {
  const { className, Icon, word } = states[state];
  return (
    <span className={`status-chip ${className}`}>
      <Icon className="ico" />
      {word}
    </span>
  );
}
