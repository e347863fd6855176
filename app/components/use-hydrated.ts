import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and in the browser's first drawing, true from then on: whether scripts run here. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
