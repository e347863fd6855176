import { createContext } from "react";

/** What the page's own inline scripts carry; the server alone knows it. */
export const NonceContext = createContext<string | undefined>(undefined);
