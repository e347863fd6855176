import { LRUCache } from "lru-cache";
import type { RouterContextProvider } from "react-router";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { secondsInMs } from "#units";
import type { ProviderClient } from "../provider/client-types.ts";
import { providerForAll } from "../provider/context.ts";
import { getSession } from "../sessions/session.ts";

/**
 * All documents of a provider that knows only the specification's calls. It answers `GET /documents` with the whole
 * list, which the header counts and the pages filter: asked once for each token, and kept for 10 seconds.
 */

type Context = Readonly<RouterContextProvider>;

const kept = new LRUCache<string, DocumentRow[], ProviderClient>({
  ttl: secondsInMs(10),
  ttlAutopurge: true,
  // Rows of all tokens together; a hundred thousand take some 50 MB.
  maxSize: 100_000,
  sizeCalculation: (rows) => rows.length + 1,
  fetchMethod: (_token, _stale, { context: provider }) => provider.listDocuments(),
});

export const loadedDocuments = async (context: Context): Promise<DocumentRow[]> =>
  (await kept.fetch(tokenOf(context), { context: providerForAll(context) })) ?? [];

/** After a change: the next page asks again. */
export const forgetLoadedDocuments = (context: Context) => void kept.delete(tokenOf(context));

const tokenOf = (context: Context) => getSession(context).get("token") ?? "";
