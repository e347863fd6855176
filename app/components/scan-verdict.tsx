import { CircleQuestionMark, FileDiff, OctagonAlert } from "lucide-react";
import { StateChip } from "./state-chip.tsx";
import type { DocumentState } from "./state-words.ts";

const chips = {
  altered: { text: "Altered code", isBad: true },
  "unknown key": { text: "Unknown key", isBad: true },
  "revoked key": { text: "Revoked key", isBad: true },
  contradicts: { text: "Contradicts the record", isBad: true },
  "changed since": { text: "Changed since printing", Icon: FileDiff },
  newer: { text: "Newer signature" },
  unreadable: { text: "Unreadable signature" },
} as const satisfies Record<string, { text: string; isBad?: true; Icon?: typeof FileDiff }>;

type ScanVerdictProps = { scan: { verdict: DocumentState | ""; signature: string } };

/** What a scan said: the document's state, and what the signature of its code showed unless that confirmed the record. */
export function ScanVerdict({ scan: { verdict, signature } }: ScanVerdictProps) {
  const chip: { text: string; isBad?: true; Icon?: typeof FileDiff } | undefined =
    signature in chips ? chips[signature as keyof typeof chips] : undefined;
  const Icon = chip?.Icon ?? (chip?.isBad ? OctagonAlert : CircleQuestionMark);
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {verdict && <StateChip state={verdict} />}
      {chip && (
        <span className={`status-chip ${chip.isBad ? "is-bad" : "is-idle"}`}>
          <Icon className="ico" />
          {chip.text}
        </span>
      )}
    </span>
  );
}
