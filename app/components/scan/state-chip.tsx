import { Archive, CalendarX, CircleCheck, CircleMinus, OctagonAlert } from "lucide-react";
import { type DocumentState, stateWords } from "./state-words.ts";

const looks: Record<DocumentState, { className: string; Icon: typeof Archive }> = {
  "in force": { className: "is-ok", Icon: CircleCheck },
  withdrawn: { className: "is-warn", Icon: CircleMinus },
  expired: { className: "is-warn", Icon: CalendarX },
  archived: { className: "is-idle", Icon: Archive },
  "copy withdrawn": { className: "is-warn", Icon: CircleMinus },
  "other paper": { className: "is-bad", Icon: OctagonAlert },
};

/** A document's state, or what a scan said of it: never by colour alone. */
export function StateChip({ state }: { state: DocumentState }) {
  const { className, Icon } = looks[state];
  return (
    <span className={`status-chip ${className}`}>
      <Icon className="ico" />
      {stateWords[state]}
    </span>
  );
}

/** The state of a document that is no longer in force, beside its name in lists. */
export const EndedChip = ({ validity }: { validity: DocumentState | undefined }) =>
  validity && validity !== "in force" && <StateChip state={validity} />;
