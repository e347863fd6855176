import { lazy } from "react";

/** Browsers fetch its code when somebody else has saved first. */
export const ConflictNotice = lazy(() => import("./conflict-notice.tsx"));
