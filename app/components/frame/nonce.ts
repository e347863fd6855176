import { createContext } from "react";

/** The nonce of the page's inline scripts, on the server only. */
export const NonceContext = createContext<string | undefined>(undefined);
