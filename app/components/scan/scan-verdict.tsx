import { CircleQuestionMark, OctagonAlert } from "lucide-react";
import { t } from "#lib/messages/staff.ts";
import { Chip } from "./chip.tsx";
import { StateChip } from "./state-chip.tsx";
import type { DocumentState } from "./state-words.ts";

/** What signatures of codes can show other than that the record is right. */
const signatures: Record<string, { words: string; isBad: boolean }> = {
  altered: { words: t("common.alteredCode"), isBad: true },
  "unknown key": { words: t("components.scanVerdict.unknownKey"), isBad: true },
  "revoked key": { words: t("components.scanVerdict.revokedKey"), isBad: true },
  contradicts: { words: t("components.scanVerdict.contradictsTheRecord"), isBad: true },
  "changed since": { words: t("components.scanVerdict.changedSincePrinting"), isBad: false },
  newer: { words: t("components.scanVerdict.newerSignature"), isBad: false },
  unreadable: { words: t("components.scanVerdict.unreadableSignature"), isBad: false },
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
  const verdict = signatures[signature];
  if (!verdict) return null;
  const look = verdict.isBad
    ? { className: "is-bad", Icon: OctagonAlert }
    : { className: "is-idle", Icon: CircleQuestionMark };
  return <Chip look={look} word={verdict.words} />;
}
