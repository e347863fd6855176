import { useEffect, useState } from "react";

/** Blocks form submission while the device is offline, so that no input is lost. Returns how often it did. */
export function useConnection(): number {
  const [blocked, setBlocked] = useState(0);
  useEffect(() => {
    const block = (event: SubmitEvent) => {
      if (navigator.onLine) return;
      event.preventDefault();
      event.stopPropagation();
      setBlocked((count) => count + 1);
    };
    document.addEventListener("submit", block, true);
    return () => document.removeEventListener("submit", block, true);
  }, []);
  return blocked;
}
