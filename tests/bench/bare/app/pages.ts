import { readFileSync } from "node:fs";
import { environment } from "#lib/config.ts";

/** The pages by their addresses, from the file that `BARE_PAGES` names, so that nothing is asked of any database. */
const pages = JSON.parse(readFileSync(environment.BARE_PAGES!, "utf8")) as Record<string, unknown>;

export const pageOf = <Page>(request: Request) => pages[new URL(request.url).pathname] as Page;
