import { CircleQuestionMark, OctagonAlert } from "lucide-react";
import { StateChip } from "./state-chip.tsx";
import type { DocumentState } from "./state-words.ts";

/** What signatures of codes can show other than that the record is right. */
const signatures: Record<string, { words: string; isBad: boolean }> = {
  altered: { words: "Altered code", isBad: true },
  "unknown key": { words: "Unknown key", isBad: true },
  "revoked key": { words: "Revoked key", isBad: true },
  contradicts: { words: "Contradicts the record", isBad: true },
  "changed since": { words: "Changed since printing", isBad: false },
  newer: { words: "Newer signature", isBad: false },
  unreadable: { words: "Unreadable signature", isBad: false },
};

type ScanVerdictProps = { scan: { verdict: DocumentState | ""; signature: string } };

/** What a scan said of the document, and of its code's signature unless that confirmed the record. */
export function ScanVerdict({ scan: { verdict, signature } }: ScanVerdictProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {verdict && <StateChip state={verdict} />}
      <SignatureChip signature={signature} />
    </span>
  );
}

function SignatureChip({ signature }: { signature: string }) {
  const shown = signatures[signature];
  if (!shown) return null;
  const Icon = shown.isBad ? OctagonAlert : CircleQuestionMark;
  return (
    <span className={`status-chip ${shown.isBad ? "is-bad" : "is-idle"}`}>
      <Icon className="ico" />
      {shown.words}
    </span>
  );
}
