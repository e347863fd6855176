import { createContext, use } from "react";

export const InDialog = createContext(false);

/** Whether a served field takes the focus: on a page the summary of errors does. */
export function useRefusedFocus(error: string | undefined): boolean {
  const isInDialog = use(InDialog);
  return isInDialog && error !== undefined;
}
