import { Archive, CalendarX, CircleCheck, CircleMinus, OctagonAlert } from "lucide-react";
import { Chip, type Look } from "./chip.tsx";
import { type DocumentState, stateWords } from "./state-words.ts";

const looks: Record<DocumentState, Look> = {
  "in force": { className: "is-ok", Icon: CircleCheck },
  withdrawn: { className: "is-warn", Icon: CircleMinus },
  expired: { className: "is-warn", Icon: CalendarX },
  archived: { className: "is-idle", Icon: Archive },
  "copy withdrawn": { className: "is-warn", Icon: CircleMinus },
  "other paper": { className: "is-bad", Icon: OctagonAlert },
};

/** A document's state, or what a scan said of it: never by colour alone. */
export const StateChip = ({ state }: { state: DocumentState }) => <Chip look={looks[state]} word={stateWords[state]} />;

/** The state of a document that is no longer in force, beside its name in lists. */
export const EndedChip = ({ validity }: { validity: DocumentState | undefined }) =>
  validity && validity !== "in force" && <StateChip state={validity} />;
