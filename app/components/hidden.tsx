import type { ReactNode } from "react";

/** Words of a message that are read out alone, as they name what sighted users see beside them. */
export const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;
