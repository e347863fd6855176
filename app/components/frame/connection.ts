import { useEffect, useState } from "react";

/** Stops forms from being sent while the device is offline, so that nothing typed is lost. Returns how often it did. */
export function useConnection(): number {
  const [stopped, setStopped] = useState(0);
  useEffect(() => {
    const stop = (event: SubmitEvent) => {
      if (navigator.onLine) return;
      event.preventDefault();
      event.stopPropagation();
      setStopped((count) => count + 1);
    };
    document.addEventListener("submit", stop, true);
    return () => document.removeEventListener("submit", stop, true);
  }, []);
  return stopped;
}
