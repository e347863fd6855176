import { createPath, type DataRouter, matchRoutes } from "react-router";

/** The router's own: it exports neither, and reloads the page that is left if a script of the next one is missing. */
declare global {
  interface Window {
    __reactRouterDataRouter: DataRouter;
    __reactRouterManifest: { routes: Record<string, { module: string }> };
  }
}

/** In this time a page that was loaded again is not loaded again by itself. */
const patienceMs = 30_000;

/**
 * Loads the next page in full if its scripts are missing, as in a tab that was open during an upgrade, or the same page
 * for a part of it. Returns a function that ends this.
 */
export function loadWithoutScripts(): () => void {
  let wanted: object | undefined;
  let tried = new Set<string>();
  const end = window.__reactRouterDataRouter.subscribe(({ navigation: { state, location: next } }) => {
    if (state !== "loading") return;
    if (next !== wanted) [wanted, tried] = [next, new Set()];
    for (const { route } of matchRoutes(window.__reactRouterDataRouter.routes, next) ?? []) {
      const script = window.__reactRouterManifest.routes[route.id]?.module;
      if (!script || tried.has(script)) continue;
      tried.add(script);
      // The router's import of it came first, so its reload does as well, which this replaces.
      import(/* @vite-ignore */ script).catch(() => setTimeout(() => location.assign(createPath(next))));
    }
  });
  addEventListener("vite:preloadError", loadAgain);
  return () => {
    end();
    removeEventListener("vite:preloadError", loadAgain);
  };
}

let optional = 0;

/** A script that the page can do without, or undefined if it is missing. */
export async function ifThere<T>(load: () => Promise<T>): Promise<T | undefined> {
  optional++;
  try {
    return await load();
  } catch {
    return undefined;
  } finally {
    optional--;
  }
}

function loadAgain() {
  if (optional > 0) return;
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (loaded?.type !== "reload" || performance.now() > patienceMs) location.reload();
}
