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

const VerdictSign = ({ tone }: { tone: Tone }) => (
  <path d={verdictIcons[tone]} stroke="currentColor" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round" />
);
