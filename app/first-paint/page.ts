import { type FirstVisit, withCriticalCss } from "./first-visit.ts";
import { withLateScripts } from "./late-scripts.ts";
import { isFirstPaintOn } from "./switch.ts";

/** A rendered page as it goes to the browser. May add a cookie to `headers`. */
export async function withFirstPaint(page: Buffer<ArrayBuffer>, visit: FirstVisit): Promise<Buffer<ArrayBuffer>> {
  return isFirstPaintOn ? withCriticalCss(withLateScripts(page), visit) : page;
}
