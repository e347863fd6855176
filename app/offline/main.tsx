import { createRoot } from "react-dom/client";
import { OfflineCheck } from "./offline-check.tsx";
import { keepForOffline } from "./saved.ts";

createRoot(document.getElementById("offline")!).render(<OfflineCheck />);
// Without a worker the page works while there is a network.
keepForOffline().catch(() => {});
