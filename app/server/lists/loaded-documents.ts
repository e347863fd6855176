import { LRUCache } from "lru-cache";
import type { DocumentRow } from "#provider/contract/documents.ts";
import { secondsInMs } from "#lib/units.ts";
import type { ProviderClient } from "../provider/client-types.ts";
import { providerForAll } from "../provider/context.ts";
import type { Context } from "../request/router-context.ts";
import { getSession } from "../sessions/session.ts";

/** Whole lists by token, of providers without paging: the header counts them, pages filter them. */
const cache = new LRUCache<string, DocumentRow[], ProviderClient>({
  ttl: secondsInMs(10),
  ttlAutopurge: true,
  // Rows of all tokens together; 100,000 take some 50 MB.
  maxSize: 100_000,
  sizeCalculation: (rows) => rows.length + 1,
  fetchMethod: (_token, _stale, { context: provider }) => provider.listDocuments(),
});

export const loadedDocuments = async (context: Context): Promise<DocumentRow[]> =>
  (await cache.fetch(tokenOf(context), { context: providerForAll(context) })) ?? [];

export const forgetLoadedDocuments = (context: Context) => void cache.delete(tokenOf(context));

const tokenOf = (context: Context) => getSession(context).get("token") ?? "";
