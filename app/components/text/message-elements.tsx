import type { ReactNode } from "react";

/** Elements in messages (`tRich`) that many pages have. */

/** Words that are read out alone, as they name what sighted users see beside them. */
export const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;

export const b = (words: ReactNode) => <b>{words}</b>;

/** A date that hyphens would break. */
export const whole = (date: ReactNode) => <span className="whitespace-nowrap">{date}</span>;
