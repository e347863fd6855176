import { randomUUID } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { z } from "zod";
import { limits } from "#page-files/kinds.ts";
import type { Received, Upload } from "#intake/form-body.ts";
import { PageWorkBusy, PageWorkFailed } from "#page-files/refusals.ts";
import { type Networks, networksOf } from "#storage/networks.ts";
import { storageFailureMessages, storageFailureOf } from "#storage/failures.ts";
import { type Actor, type Caller, mayCall } from "../access.ts";
import { type Origin, originOf } from "../audit/access-trail.ts";
import { readBody } from "./body.ts";
import type { Browser } from "../sessions/browsers.ts";
import { imageUploads } from "../contract/images.ts";
import type { Call } from "../contract/call.ts";
import { encodeCursor, type Cursor } from "../contract/cursors.ts";
import { registerCall } from "./openapi.ts";
import { errorsByField, uncounted } from "../contract/fields.ts";
import type { UploadAllowance } from "../company/storage.ts";
import { removeUnusedFolder } from "../files/orphans.ts";
import { HttpError, forbidden, invalid, notFound, unauthorized } from "./errors.ts";
import type { Services } from "../services.ts";
import { actorOf, tokenHash } from "../sessions/tokens.ts";

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type HandlerReply<C extends Call> = C["reply"] extends z.ZodType ? z.input<C["reply"]> | Response : void | Response;

/** What a handler is given, checked: the caller, and the call's parts as its schemas say. */
export type HandlerInput<C extends Call> = {
  actor: C["access"] extends "public" ? undefined : Actor;
  /** The same to write as: with the rights that they have by then (`caller-transaction.ts`). */
  caller: C["access"] extends "public" ? undefined : Caller;
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  /** Files that came, in the store below `folder`: the handler keeps or removes them; pictures are removed after it. */
  received: Received[];
  folder: string;
  token: string | undefined;
  /** Where the client is, as far as limits need to know: handlers never see its address. */
  networks: Networks;
  browser: Browser | undefined;
  /** The same two as the audit trail keeps them. */
  origin: Origin;
  onWait(): void;
  /** Whether no count of a list is wanted. */
  isUncounted: boolean;
  request: Request;
};

/** Serves a call. Every call is served through this, so none can forget to ask who is calling. */
export type On = <const C extends Call>(
  call: C,
  handle: (asked: HandlerInput<C>) => Promise<HandlerReply<C>>,
  /** Says how much files a call may bring, before they arrive; the usual limits where it says nothing. */
  receive?: (asked: Pick<HandlerInput<C>, "actor" | "request">) => Promise<UploadAllowance | undefined>,
) => void;

/** What the web app tells about the request it passes on, which nobody else can say, and what it is told of it. */
export type ClientContext = {
  clientAddress: string;
  /** The browser that a page's form came from; API clients have none. */
  browser?: Browser | undefined;
  /** Whether a program calls: pages ask for more than each user may see, and leave out what is refused. */
  isApi?: boolean;
  /** Hears which call it is, as `/api/documents/:id`. */
  onRoute?(route: string): void;
  /** Hears who asks. */
  onUser?(id: number): void;
  /** Hears that the request waits, and takes nothing meanwhile. */
  onWait?(): void;
  /** Who has which token, kept for the other calls of a page that changes nothing: three lookups took a tenth of a list. */
  actorCache?: Map<string, Actor | undefined>;
};

/** An empty server and the way to add calls to it. */
export function createEndpoints(services: Services) {
  const server = new OpenAPIHono<{ Bindings: ClientContext }>().basePath("/api");
  server.notFound(() => errorReply(notFound()));
  server.onError((thrown, context) => {
    const error = asHttpError(thrown);
    // The client is gone: what it had under way was dropped.
    if (context.req.raw.signal.aborted && error === context.req.raw.signal.reason)
      return new Response(null, { status: 499 });
    if (error instanceof HttpError) {
      if (error.reachedLimit) services.log.warn({ limit: error.reachedLimit }, "rate limit reached");
      return errorReply(error);
    }
    services.log.error({ err: error }, "the provider failed to answer");
    const trouble = storageFailureOf(error);
    if (trouble)
      return errorReply(
        new HttpError(503, storageFailureMessages[trouble], { retryAfter: trouble === "no space" ? 60 : 5 }),
      );
    return errorReply(new HttpError(500, "Something went wrong on our side. Try again."));
  });
  async function actorForToken(token: string, known = new Map<string, Actor | undefined>()) {
    if (!known.has(token)) known.set(token, await actorOf(services.db, token, services.now()));
    return known.get(token);
  }
  const audited = new WeakSet<HttpError>();
  /** Notes in the audit trail, once, that a user lacks a right. Pages ask for more than each may see: those reads are none. */
  function auditRefusal(
    refusal: HttpError,
    { id, name, company_id }: Actor,
    { method, path, summary }: Call,
    from: ClientContext,
  ) {
    if (audited.has(refusal) || (method === "GET" && !from.isApi)) return refusal;
    audited.add(refusal);
    const subject = { entity: "request", id: 0, name: summary.split(/[:;]/)[0]! } as const;
    const origin = originOf(networksOf(from.clientAddress), from.browser);
    const within = `${method} ${path} ${origin.network}`;
    services.access.record({
      company_id,
      actor: { id, name },
      action: "access refused",
      subject,
      about: id,
      within,
      ...origin,
    });
    return refusal;
  }
  /** The signed-in user of a call; undefined for public ones. Throws 401 or 403 where they may not make it. */
  async function authorize(call: Call, token: string | undefined, from: ClientContext) {
    const { access } = call;
    if (access === "public") return undefined;
    const actor = token ? await actorForToken(token, from.actorCache) : undefined;
    if (!actor) throw unauthorized();
    from.onUser?.(actor.id);
    if (!mayCall(access, actor)) throw auditRefusal(forbidden(), actor, call, from);
    return actor;
  }
  const on: On = (call, handle, receive) => {
    registerCall(server.openAPIRegistry, call);
    const path = call.path.replace(/\{(\w+)\}/g, ":$1");
    server.on(call.method, path, async (context) => {
      const request = context.req.raw;
      context.env.onRoute?.(`/api${path}`);
      const token = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
      let actor = await authorize(call, token, context.env);
      const params = parse(call.params, context.req.param());
      if ("refused" in params) throw notFound();
      const query = parse(call.query, context.req.query());
      if ("refused" in query) throw query.refused;
      const folder = `documents/${randomUUID()}`;
      const receiving = await receive?.({ actor, request } as HandlerInput<typeof call>);
      let received: Received[] = [];
      const { clientAddress, onUser, browser, isApi = false, onWait = () => {} } = context.env;
      try {
        const sent =
          call.body &&
          (await readBody(request, call.body, uploadFor(call, services.files, folder, receiving)).catch((error) => {
            throw receiving?.tooLarge && error instanceof HttpError && error.status === 413
              ? receiving.tooLarge()
              : error;
          }));
        received = sent?.received ?? [];
        // A body may take minutes to arrive, and its sender have lost the right meanwhile.
        if (sent) actor = await authorize(call, token, { clientAddress, onUser, isApi });
        const body = parse(call.body, sent?.fields);
        if ("refused" in body) throw body.refused;
        const asked = {
          actor,
          caller: actor && { company_id: actor.company_id, session: tokenHash(token!), access: call.access },
          params: params.value,
          query: query.value,
          body: body.value,
          received,
          folder,
          token,
          // Few handlers count, and none twice.
          get networks() {
            return networksOf(clientAddress);
          },
          browser,
          get origin() {
            return originOf(networksOf(clientAddress), browser);
          },
          onWait,
          isUncounted: request.headers.get("prefer") === uncounted,
          request,
        };
        const answer = await handle(asked as HandlerInput<typeof call>);
        // A picture has been drawn anew by now.
        if (call.image && received.length > 0) await services.files.removeAll(folder);
        return answer instanceof Response ? answer : jsonReply(answer, call.status);
      } catch (error) {
        if (actor && error instanceof HttpError && error.status === 403) auditRefusal(error, actor, call, context.env);
        if (received.length > 0) await removeUnusedFolder(services, folder);
        throw error;
      } finally {
        receiving?.release();
      }
    });
  };
  return { server, on };
}

/** Page work that is not done, as a refusal; any other error as it is. */
function asHttpError(error: Error) {
  if (error instanceof PageWorkBusy) return new HttpError(503, error.message, { retryAfter: error.retryAfter });
  return error instanceof PageWorkFailed ? new HttpError(422, error.message) : error;
}

const uploads = { fileBytes: limits.fileBytes, files: limits.files, totalBytes: limits.documentBytes };

function uploadFor(
  { files: field, image }: Call,
  files: Upload["files"],
  folder: string,
  receiving: UploadAllowance | undefined,
): Upload | undefined {
  if (field) return { files, folder, field, limits: receiving?.limits ?? uploads };
  return image && { files, folder, field: "image", limits: imageUploads };
}

function parse(schema: z.ZodObject | undefined, given: unknown): { value: unknown } | { refused: HttpError } {
  if (!schema) return { value: undefined };
  const parsed = schema.safeParse(given);
  return parsed.success ? { value: parsed.data } : { refused: invalid(errorsByField(parsed.error)) };
}

/** JSON that no cache keeps. */
const jsonReply = (content: unknown, status: number) =>
  content === undefined
    ? new Response(null, { status, headers: { "cache-control": "no-store" } })
    : Response.json(content, { status, headers: { "cache-control": "no-store" } });

/** What else is told of a list's part: where the ones beside it begin, and what was left out. */
type ListInfo = {
  isCapped?: boolean;
  isPartial?: boolean;
  next?: Cursor | undefined;
  previous?: Cursor | undefined;
  request?: Request;
};

/** A list that was filtered and paged here: `total` is how many rows the filters leave, or where counting ended. */
export function listReply(rows: unknown[], total: number, beside: ListInfo = {}) {
  const response = jsonReply(rows, 200);
  setListHeaders(response.headers, total, beside);
  return response;
}

function setListHeaders(headers: Headers, total: number, { isCapped, isPartial, next, previous, request }: ListInfo) {
  headers.set("x-total-count", String(total));
  if (isCapped) headers.set("x-total-is-capped", "1");
  if (isPartial) headers.set("x-search-is-partial", "1");
  const links = [];
  if (next) links.push(pageLink(request!, "next", 1, { after: encodeCursor(next) }));
  if (previous) links.push(pageLink(request!, "prev", -1, { before: encodeCursor(previous) }));
  if (links.length > 0) headers.set("link", links.join(", "));
}

/** The address of the part beside the one that was asked for (RFC 8288). */
function pageLink({ url }: Request, relation: string, pages: number, cursor: { after: string } | { before: string }) {
  const { pathname, searchParams } = new URL(url);
  for (const name of ["after", "before"]) searchParams.delete(name);
  searchParams.set("page", String(Math.max(1, Number(searchParams.get("page")) + pages)));
  for (const [name, value] of Object.entries(cursor)) searchParams.set(name, value);
  return `<${pathname}?${searchParams}>; rel="${relation}"`;
}

/** A whole list, written while it is read: however long it is, no more than one chunk is held. */
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

function errorReply({ status, message, errors, retryAfter }: HttpError) {
  const response = jsonReply({ message, errors }, status);
  if (retryAfter !== undefined) response.headers.set("retry-after", String(retryAfter));
  return response;
}
