import type { ReactNode } from "react";

/** The icon of a verdict, as `verdictIcons` has it, on a white disc; `children` is drawn between the two. */
export const VerdictSeal = ({ icon, children }: { icon: string; children?: ReactNode }) => (
  <svg className="seal" width="80" height="80" viewBox="0 0 80 80" fill="none" aria-hidden="true">
    <circle cx="40" cy="40" r="37" fill="#fff" />
    {children}
    <path d={icon} stroke="currentColor" strokeWidth="5" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

/** The same icon alone, in white, beside an answer. */
export const VerdictMark = ({ icon }: { icon: string }) => (
  <svg width="24" height="24" viewBox="14 14 52 52" fill="none" stroke="#fff" strokeWidth="6" aria-hidden="true">
    <path d={icon} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);
