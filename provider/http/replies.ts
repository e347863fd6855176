import { hash } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import { encodeCursor, type Cursor } from "../contract/cursors.ts";
import type { HttpError } from "./errors.ts";

/** A reply whose content becomes JSON where it leaves the process; pages in it read the content. Caches must not store it. */
export class JsonReply {
  readonly content: unknown;
  readonly status: number;
  readonly headers: Headers = new Headers({ "cache-control": "no-store" });

  constructor(content: unknown, status: number) {
    this.content = content;
    this.status = status;
  }

  toResponse(): Response {
    const { content, status, headers } = this;
    return content === undefined
      ? new Response(null, { status, headers })
      : Response.json(content, { status, headers });
  }
}

const jsonReply = (content: unknown, status: number) => new JsonReply(content, status).toResponse();

/** A JSON reply that caches may store, but revalidate each time: 304 if the client has the same. */
export function revalidatedReply(request: Request, content: unknown) {
  const text = JSON.stringify(content);
  const etag = `"${hash("sha256", text, "base64url")}"`;
  const headers = { etag, "cache-control": "public, no-cache" };
  const cachedTags = request.headers.get("if-none-match") ?? "";
  if (cachedTags.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
}

/** The headers of a list beside the total. */
type ListInfo = {
  isCapped?: boolean;
  isPartial?: boolean;
  next?: Cursor | undefined;
  previous?: Cursor | undefined;
  /** The address of the call. */
  url?: string;
};

/** A page of a list. `total` counts all rows that match, up to where counting ends. */
export function listReply(rows: unknown[], total: number, beside: ListInfo = {}) {
  const reply = new JsonReply(rows, 200);
  setListHeaders(reply.headers, total, beside);
  return reply;
}

function setListHeaders(headers: Headers, total: number, { isCapped, isPartial, next, previous, url }: ListInfo) {
  headers.set("x-total-count", String(total));
  if (isCapped) headers.set("x-total-is-capped", "1");
  if (isPartial) headers.set("x-search-is-partial", "1");
  const links = [];
  if (next) links.push(pageLink(url!, "next", 1, { after: encodeCursor(next) }));
  if (previous) links.push(pageLink(url!, "prev", -1, { before: encodeCursor(previous) }));
  if (links.length > 0) headers.set("link", links.join(", "));
}

/** Adds the neighbours of a page that is read by its number. Lists with cursors have their own. */
export function linkPages(reply: JsonReply, query: unknown, { url }: { url: string }) {
  const { content, headers } = reply;
  const { page, per_page } = { per_page: 0, ...(query as object) } as { page?: number; per_page: number };
  if (page === undefined || headers.has("link") || !Array.isArray(content)) return reply;
  const isCapped = headers.has("x-total-is-capped") && content.length === per_page;
  const links = [];
  if (isCapped || page * per_page < Number(headers.get("x-total-count"))) links.push(pageLink(url, "next", 1));
  if (page > 1) links.push(pageLink(url, "prev", -1));
  if (links.length > 0) headers.set("link", links.join(", "));
  return reply;
}

/** A `Link` header to the next or previous page (RFC 8288). */
function pageLink(url: string, relation: string, pages: number, cursor: { after?: string; before?: string } = {}) {
  const { pathname, searchParams } = new URL(url);
  for (const name of ["after", "before"]) searchParams.delete(name);
  searchParams.set("page", String(Math.max(1, Number(searchParams.get("page") || 1) + pages)));
  for (const [name, value] of Object.entries(cursor)) searchParams.set(name, value);
  return `<${pathname}?${searchParams}>; rel="${relation}"`;
}

/** A whole list, streamed chunk by chunk. */
export function wholeListReply(
  chunks: AsyncGenerator<unknown[]>,
  total: { total: number; isCapped: boolean; isPartial?: boolean },
) {
  const response = new Response(ReadableStream.from(asJson(chunks)) as BodyInit, {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
  setListHeaders(response.headers, total.total, total);
  return response;
}

async function* asJson(chunks: AsyncGenerator<unknown[]>) {
  const encoder = new TextEncoder();
  let before = "[";
  for await (const rows of chunks) {
    if (rows.length === 0) continue;
    yield encoder.encode(before + JSON.stringify(rows).slice(1, -1));
    before = ",";
  }
  yield encoder.encode(before === "[" ? "[]" : "]");
}

export function errorReply({ status, message, errors, error, retryAfter, kind, cacheSeconds }: HttpError) {
  const response = jsonReply({ message, errors, error, kind }, status);
  if (retryAfter !== undefined) response.headers.set("retry-after", String(retryAfter));
  if (status === 401 && error !== undefined) response.headers.set("www-authenticate", `Bearer error="${error}"`);
  if (cacheSeconds !== undefined) response.headers.set("cache-control", `public, max-age=${cacheSeconds}`);
  return response;
}
