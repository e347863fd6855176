import { useEffect, useState } from "react";

/** Holds forms back while the device is offline, so that nothing typed is lost. Counts how often that was necessary. */
export function useConnection(): number {
  const [heldBack, setHeldBack] = useState(0);
  useEffect(() => {
    const hold = (event: SubmitEvent) => {
      if (navigator.onLine) return;
      event.preventDefault();
      event.stopPropagation();
      setHeldBack((count) => count + 1);
    };
    document.addEventListener("submit", hold, true);
    return () => document.removeEventListener("submit", hold, true);
  }, []);
  return heldBack;
}
