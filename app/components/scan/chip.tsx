import type { LucideIcon } from "lucide-react";

/** How a state looks; each has an icon of its own, so that no colour speaks alone. */
export type Look = { className: string; Icon: LucideIcon };

type ChipProps = {
  look: Look;
  word: string;
  /** Whether its words stay on one line. */
  isWhole?: boolean;
};

/** A state in a word or two. */
export const Chip = ({ look: { className, Icon }, word, isWhole }: ChipProps) => (
  <span className={`status-chip ${isWhole ? "whitespace-nowrap " : ""}${className}`}>
    <Icon className="ico" />
    {word}
  </span>
);
