import { lazy } from "react";

/** Browsers fetch its code after a conflict. */
export const ConflictNotice = lazy(() => import("./conflict-notice.tsx"));
