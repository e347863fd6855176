import { createRoot } from "react-dom/client";
import { OfflineCheck } from "./offline-check.tsx";

createRoot(document.getElementById("offline")!).render(<OfflineCheck />);

// Without a worker the page works while there is a network.
saveFiles().catch(() => {});

/** Installs the worker, and has it save what the page was loaded from. */
async function saveFiles(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register("/check/worker", { scope: "/check" });
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active?.postMessage(loaded, { transfer: [] });
}
