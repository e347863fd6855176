import { AsyncLocalStorage } from "node:async_hooks";
import { type MiddlewareFunction, redirect } from "react-router";
import { choiceCookie } from "../request/choice-cookie.ts";
import { ownReferrer } from "../request/host.ts";
import { withListState, withoutEmptyFields } from "./list-addresses.ts";

const cookie = choiceCookie("rows");

const preferred = new AsyncLocalStorage<number>();

/** The rows per page that this browser chose last, in any list; 0 if none. */
export const preferredRows = () => preferred.getStore() ?? 0;

/** Leads to the address that carries a list's state, and remembers the rows per page. */
export const listState: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const isRead = request.method === "GET";
  const referrer = ownReferrer(request);
  const address = isRead && (withoutEmptyFields(url) ?? (referrer && withListState(url, referrer)));
  if (address) throw redirect(address);
  const stored = asRows(await cookie.parse(request.headers.get("cookie")));
  const rowsInAddress = asRows(url.searchParams.get("per_page"));
  const response = await preferred.run(stored, next);
  if (isRead && rowsInAddress && rowsInAddress !== stored)
    response.headers.append("set-cookie", await cookie.serialize(rowsInAddress));
  return response;
};

const maxRows = 100;

function asRows(value: unknown): number {
  const rows = Number(value);
  return Number.isSafeInteger(rows) && rows > 0 && rows <= maxRows ? rows : 0;
}
