import { createContext } from "react-router";
import { config } from "#lib/config.ts";
import { originAt, type ShownHost } from "#provider/contract/shown-host.ts";
import type { Context } from "./router-context.ts";

/** A company's own host shows the verification pages of its documents, and nothing else. */

const hostContext = createContext<ShownHost | null>(null);

/** The one that a request is for; undefined on the host of PUBLIC_URL. */
export const companyHostOf = (context: Context): ShownHost | undefined => context.get(hostContext) ?? undefined;

export const setCompanyHost = (context: Context, host: ShownHost) => context.set(hostContext, host);

export const originOf = ({ host }: ShownHost) => originAt(config().PUBLIC_URL, host);
