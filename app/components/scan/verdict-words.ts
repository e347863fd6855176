import type { Key } from "#lib/messages/catalogues.ts";
import { asTheirs } from "#lib/messages/isolates.ts";
import type { Words } from "#lib/messages/words.ts";

/** What the verification page can answer. */
export type VerdictKind =
  | "in force"
  | "withdrawn"
  | "expired"
  | "copy withdrawn"
  | "other paper"
  | "not issued"
  | "mistyped"
  | "near number"
  | "no answer";

export type Tone = "ok" | "ended" | "bad" | "idle";

/** Paths in a box of 80 × 80. */
export const verdictIcons: Record<Tone, string> = {
  ok: "M27 41l9 9 17-19",
  ended: "M40 26v15l10 7",
  bad: "M29 29l22 22M51 29l-22 22",
  idle: "M31 33a9 9 0 1 1 13 8c-3 2-4 3-4 6M40 55v.1",
};

/** Each verdict's tone and the message that is its title on the page. */
export const verdictLooks = {
  "in force": { tone: "ok", title: "verdict.inForce.title" },
  withdrawn: { tone: "ended", title: "verdict.ended.title" },
  expired: { tone: "ended", title: "verdict.ended.title" },
  "copy withdrawn": { tone: "ended", title: "verdict.copyWithdrawn.title" },
  "other paper": { tone: "bad", title: "verdict.otherPaper.title" },
  "not issued": { tone: "bad", title: "verdict.notIssued.title" },
  mistyped: { tone: "idle", title: "verdict.mistyped.title" },
  "near number": { tone: "idle", title: "verdict.nearNumber.title" },
  "no answer": { tone: "idle", title: "verdict.noAnswer.title" },
} as const satisfies Record<VerdictKind, { tone: Tone; title: Key }>;

type WithdrawnCopy = { copy: number; copies: number; reason: string; since: string };
type Facts = {
  company: string;
  since?: string | undefined;
  number?: string;
  typed?: string;
  withdrawn?: WithdrawnCopy | undefined;
  /** Why the document was withdrawn, in the issuer's words. */
  reason?: string | undefined;
  replacedBy?: { number: string; date: string } | undefined;
};

/** The sentence below the title, of a code that was issued. */
export function verdictSentence(
  kind: VerdictKind,
  { company, since = "", number = "", typed = "", withdrawn, reason, replacedBy }: Facts,
  { t, date, join }: Words,
): string {
  if (kind === "other paper") return t("verdict.otherPaper.sentence", { company, number, typed });
  if (kind === "copy withdrawn" && withdrawn) {
    const { copy, copies } = withdrawn;
    const facts = { company, copy, copies, why: withdrawn.reason, date: date(withdrawn.since) };
    return t("verdict.copyWithdrawn.sentence", facts);
  }
  if (kind === "in force") return t("verdict.inForce.sentence", { company });
  if (kind === "expired") return t("verdict.expired.sentence", { company, date: date(since) });
  return join(
    t("verdict.withdrawn.sentence", { company, date: date(since) }),
    reason && asTheirs(reason),
    replacedBy && t("verdict.withdrawn.replaced", { number: replacedBy.number, date: date(replacedBy.date) }),
  );
}
