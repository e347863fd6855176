import { VerdictSeal } from "./verdict-icons.tsx";

type VerdictPictureProps = { tone: string; icon: string; title: string; sentence: string };

/** A verdict as a visitor sees it, small. */
export const VerdictPicture = ({ tone, icon, title, sentence }: VerdictPictureProps) => (
  <div className={`verdict-card verdict-${tone}`}>
    <VerdictSeal icon={icon} />
    <p>
      <b>{title}</b>
      <br />
      {sentence}
    </p>
  </div>
);
