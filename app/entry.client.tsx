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

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
      <Arrived />
    </StrictMode>,
  );
});
