import { type CallName, calls } from "#provider/contract/calls.ts";
import { uncounted } from "#provider/contract/fields.ts";
import type { CallContext } from "./call-context.ts";
import type { AnyInput, ProviderClient } from "./client-types.ts";
import { fetchFile, performCall } from "./transport.ts";

/** The web app's only way to the provider: a typed method for each call of the contract. */
export function createClient(context: CallContext): ProviderClient {
  const methods = Object.fromEntries(
    (Object.keys(calls) as CallName[]).map((name) => [
      name,
      async (input: AnyInput = {}) => (await performCall(context, name, input)).reply,
    ]),
  );
  const list = async (name: CallName, query: AnyInput["query"], params: AnyInput["params"] = {}) => {
    const { reply, headers } = await performCall(context, name, { query, params });
    const total = headers.get("x-total-count");
    return {
      rows: reply,
      total: total === null ? undefined : Number(total),
      isCapped: headers.get("x-total-is-capped") === "1",
      isPartial: headers.get("x-search-is-partial") === "1",
      next: cursorIn(headers, "next", "after"),
      previous: cursorIn(headers, "prev", "before"),
    };
  };
  const firstPage = async (name: CallName, query: AnyInput["query"]) =>
    (await performCall(context, name, { query: { ...query, page: 1 }, headers: { prefer: uncounted } })).reply;
  return {
    ...methods,
    list,
    firstPage,
    file: (address: string) => fetchFile(context, address),
  } as unknown as ProviderClient;
}

/** A query parameter of the address that a `Link` header gives for a relation (RFC 8288). */
function cursorIn(headers: Headers, relation: "next" | "prev", parameter: string) {
  const [, address] = new RegExp(`<([^>]*)>\\s*;\\s*rel="?${relation}\\b`).exec(headers.get("link") ?? "") ?? [];
  return URL.parse(address ?? "", "http://provider")?.searchParams.get(parameter) ?? undefined;
}
