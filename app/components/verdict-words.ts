import { showDate } from "./format.ts";

/** What the verification page can answer. */
export type VerdictKind =
  | "in force"
  | "withdrawn"
  | "expired"
  | "copy withdrawn"
  | "other paper"
  | "not issued"
  | "mistyped"
  | "no answer";

export type Tone = "ok" | "ended" | "bad" | "idle";

/** Paths in a box of 80 × 80. */
export const verdictIcons: Record<Tone, string> = {
  ok: "M27 41l9 9 17-19",
  ended: "M40 26v15l10 7",
  bad: "M29 29l22 22M51 29l-22 22",
  idle: "M31 33a9 9 0 1 1 13 8c-3 2-4 3-4 6M40 55v.1",
};

/** Each verdict's tone and its title on the page. */
export const verdictLooks: Record<VerdictKind, { tone: Tone; title: string }> = {
  "in force": { tone: "ok", title: "This document is in force" },
  withdrawn: { tone: "ended", title: "No longer in force" },
  expired: { tone: "ended", title: "No longer in force" },
  "copy withdrawn": { tone: "ended", title: "This copy was withdrawn" },
  "other paper": { tone: "bad", title: "This paper does not match" },
  "not issued": { tone: "bad", title: "Not issued by us" },
  mistyped: { tone: "idle", title: "This code is mistyped" },
  "no answer": { tone: "idle", title: "Cannot check now" },
};

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

const reasons: Record<string, string> = { lost: " as lost", destroyed: " as destroyed" };

/** Of a withdrawn copy: ` on 21-11-2026 as lost`. */
export const withdrawnOn = ({ reason, since }: Pick<WithdrawnCopy, "reason" | "since">) =>
  ` on ${showDate(since)}${reasons[reason] ?? ""}`;

/** The sentence below the title, of a code that was issued. */
export function verdictSentence(
  kind: VerdictKind,
  { company, since = "", number = "", typed = "", withdrawn, reason, replacedBy }: Facts,
): string {
  if (kind === "other paper") {
    return `The code belongs to ${company}’s document ${number}, not to ${typed}. Do not rely on the paper.`;
  }
  if (kind === "copy withdrawn" && withdrawn) {
    const { copy, copies } = withdrawn;
    return `${company} withdrew copy ${copy} of ${copies}${withdrawnOn(withdrawn)}. Do not rely on it. The document itself is in force.`;
  }
  if (kind === "in force") return `${company} issued it and stands by it today.`;
  if (kind === "expired") return `${company} issued this document, but it expired on ${showDate(since)}.`;
  const why = reason ? ` ${reason}` : "";
  const newer = replacedBy ? ` ${replacedBy.number} of ${showDate(replacedBy.date)} replaces it.` : "";
  return `${company} issued this document, but withdrew it on ${showDate(since)}.${why}${newer}`;
}
