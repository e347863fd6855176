import { createContext, type ReactNode } from "react";

/**
 * Renders a table's rows to markup on the server; undefined in browsers and with `FIRST_PAINT=off`. Rows must not use
 * contexts but the page's user, React ids, suspense or eagerly loaded images.
 */
export const RowsMarkupContext = createContext<((rows: ReactNode) => string) | undefined>(undefined);
