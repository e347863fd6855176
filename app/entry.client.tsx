import { StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { loadWithoutScripts } from "./components/frame/missing-scripts.ts";

/** Says to the style sheet that scripts have taken the page over: they may be on, and never arrive. */
function Arrived() {
  useEffect(() => {
    document.documentElement.dataset.scripts = "run";
    return loadWithoutScripts();
  }, []);
  return null;
}

const withoutHash = (address: string) => address.replace(/#.*/, "");

/** Whether the user went back or forward before the scripts were there: the address changes then, and the page stays. */
function isOfAnotherAddress(): boolean {
  const [served] = performance.getEntriesByType("navigation");
  return served !== undefined && withoutHash(served.name) !== withoutHash(location.href);
}

const entry = history.state as { isReloaded?: true } | null;

// Once, as a browser may name the page otherwise than its address does.
if (isOfAnotherAddress() && !entry?.isReloaded) {
  history.replaceState({ ...entry, isReloaded: true }, "");
  location.reload();
} else {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
        <Arrived />
      </StrictMode>,
    );
  });
}
