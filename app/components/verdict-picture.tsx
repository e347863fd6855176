type VerdictPictureProps = { tone: string; icon: string; title: string; sentence: string };

/** A verdict as a visitor sees it, small. */
export const VerdictPicture = ({ tone, icon, title, sentence }: VerdictPictureProps) => (
  <div className={`verdict-card verdict-${tone}`}>
    <svg viewBox="0 0 80 80" fill="none" aria-hidden="true">
      <circle cx="40" cy="40" r="37" fill="#fff" />
      <path d={icon} stroke="currentColor" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
    <p>
      <b>{title}</b>
      <br />
      {sentence}
    </p>
  </div>
);
