/** What a scan's visitor was shown, as the contract names it; empty of scans from before it was stored. */
type ScanVerdict = "in force" | "withdrawn" | "expired" | "other paper" | "";

/** A verdict in a table, by its name. */
export function VerdictChip({ kind }: { kind: ScanVerdict }) {
  if (kind === "") return null;
  const look = kind === "in force" ? "is-ok" : kind === "other paper" ? "is-bad" : "is-warn";
  const name = kind === "other paper" ? "another paper" : kind;
  return <span className={`status-chip ${look}`}>{name[0]!.toUpperCase() + name.slice(1)}</span>;
}
