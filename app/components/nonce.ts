import { createContext } from "react";

/** The CSP nonce of inline scripts; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);
