import { type Tone, verdictIcons, type VerdictKind, verdictLooks } from "./verdict-words.ts";

/** A verdict as a visitor sees it, small. */
export function VerdictPicture({ kind, sentence }: { kind: VerdictKind; sentence: string }) {
  const { tone, title } = verdictLooks[kind];
  return (
    <div className={`verdict-card verdict-${tone}`}>
      <svg viewBox="0 0 80 80" fill="none" aria-hidden="true">
        <circle cx="40" cy="40" r="37" fill="#fff" />
        <VerdictSign tone={tone} />
      </svg>
      <p>
        <b>{title}</b>
        <br />
        {sentence}
      </p>
    </div>
  );
}

const chips: Record<Tone, string> = { ok: "is-ok", ended: "is-warn", bad: "is-bad", idle: "is-idle" };

/** A verdict in a table, by its name. */
export function VerdictChip({ kind }: { kind: VerdictKind | "" }) {
  if (kind === "") return "–";
  const { tone, name } = verdictLooks[kind];
  return (
    <span className={`status-chip ${chips[tone]}`}>
      <svg className="ico" viewBox="18 18 44 44" fill="none" aria-hidden="true">
        <VerdictSign tone={tone} />
      </svg>
      {name}
    </span>
  );
}

const VerdictSign = ({ tone }: { tone: Tone }) => (
  <path d={verdictIcons[tone]} stroke="currentColor" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round" />
);
