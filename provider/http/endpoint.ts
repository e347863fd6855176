import { randomUUID } from "node:crypto";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { z } from "zod";
import { limits } from "#lib/page-files/file-types.ts";
import type { Received, Upload } from "#lib/intake/form-body.ts";
import { type Networks, networksOf } from "#lib/storage/limits/networks.ts";
import { passingFiles } from "#lib/storage/files/passing-files.ts";
import type { Actor, Caller } from "../access.ts";
import { keyHash } from "../api-keys/keys.ts";
import { type Origin, originOf } from "../audit/access-trail.ts";
import { type CallRequest, type CallInProcess, readRequest, type ClientContext } from "./call-request.ts";
import { type Client, createAuthorizer } from "./authorize.ts";
import { readBody } from "./body.ts";
import { crossOriginHeaders, preflightReply } from "./cross-origin.ts";
import { refuseExposedKeys, refuseKeysIn } from "./exposed-keys.ts";
import { type Quota, quotaHeaders } from "./quota.ts";
import type { Browser } from "../sessions/browsers.ts";
import { imageUploads } from "../contract/images.ts";
import type { Call } from "../contract/call.ts";
import { registerCall } from "./openapi.ts";
import { errorsByField } from "../contract/fields.ts";
import type { UploadAllowance } from "../company/storage.ts";
import { removeUnusedFolder } from "../files/orphans.ts";
import { HttpError, invalid, notFound } from "./errors.ts";
import { failureReply } from "./failure-reply.ts";
import { errorReply, JsonReply, linkPages } from "./replies.ts";
import type { Log, Services } from "../services.ts";
import { tokenHash } from "../sessions/tokens.ts";

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type HandlerReply<C extends Call> = C["reply"] extends z.ZodType
  ? z.input<C["reply"]> | JsonReply | Response
  : void | Response;

/** A handler's input: the authorized user, and the call's parts as its schemas parsed them. */
export type HandlerInput<C extends Call> = {
  actor: C["access"] extends "public" ? undefined : Actor;
  /** For writing: the user's rights are read again in the transaction (`caller-transaction.ts`). */
  caller: C["access"] extends "public" ? undefined : Caller;
  params: Parsed<C["params"]>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  /** Uploaded files, in the store below `folder`. The handler keeps or removes them; pictures are removed after it. */
  received: Received[];
  folder: string;
  token: string | undefined;
  /** The client's networks, for rate limits: handlers never see its address. */
  networks: Networks;
  /** The company on whose own host the page is: of its documents alone a code is known there. */
  hostCompany: number | undefined;
  browser: Browser | undefined;
  /** Network and browser as the audit trail stores them. */
  origin: Origin;
  onWait(): void;
  /** Sets the reply's headers on the rest of a limit. */
  onQuota(quota: Quota): void;
  /** Whether the client prefers no count of a list. */
  isUncounted: boolean;
  /** The address of the call, for those of other pages of its list. */
  url: string;
  request: Request;
};

/** Serves a call. All calls are served through this, so none is without authorization. */
export type On = <const C extends Call>(
  call: C,
  handle: (input: HandlerInput<C>) => Promise<HandlerReply<C>>,
  /** Limits the files of a call before they arrive; without it the usual limits hold. */
  allowUpload?: (
    input: Pick<HandlerInput<C>, "actor" | "request" | "params" | "networks" | "hostCompany">,
  ) => Promise<UploadAllowance | undefined>,
) => void;

/** The authorized client of a call; without a user for public ones. */
type Authorized = { client: Client; actor: Actor | undefined };

/** An empty server and the functions that add calls to it and make them. */
export function createEndpoints(services: Services) {
  const server = new OpenAPIHono<{ Bindings: ClientContext }>().basePath("/api");
  server.notFound(() => errorReply(notFound()));
  server.onError((error, { req }) => failureReply(services.log, error, req.raw.signal));
  server.use(refuseExposedKeys(services));
  const { authorize, auditRefusal } = createAuthorizer(services);
  const replies = new Map<string, (call: CallRequest, env: ClientContext) => Promise<JsonReply | Response>>();
  const on: On = (call, handle, allowUpload) => {
    registerCall(server.openAPIRegistry, call);
    const path = call.path.replace(/\{(\w+)\}/g, ":$1");
    if (call.isCrossOrigin) server.options(path, () => preflightReply(call));
    const answer = async (request: CallRequest, env: ClientContext, { client, ...authorized }: Authorized) => {
      const { token } = request;
      let { actor } = authorized;
      const params = call.params?.safeParse(request.params);
      if (params?.error) throw notFound();
      const query = parse(call.query, withFirstPage(request.query));
      const folder = `documents/${randomUUID()}`;
      const uploadInput = {
        actor,
        get request() {
          return request.request;
        },
        params: params?.data,
        hostCompany: env.hostCompany,
        get networks() {
          return networksOf(env.clientAddress);
        },
      };
      const allowance = await allowUpload?.(uploadInput as HandlerInput<typeof call>);
      const upload = uploadTo(folder, services, call, allowance);
      let received: Received[] = [];
      try {
        const form = call.body && (await readBody(request.request, call.body, upload, allowance?.tooLarge));
        received = form?.received ?? [];
        // Uploads take minutes, in which the sender may have lost the right.
        if (form) actor = await authorize(call, token, { ...client, page: undefined, onQuota: undefined });
        const input = {
          actor,
          caller: actor && callerOf(actor, token!, call),
          params: params?.data,
          query,
          body: parse(call.body, form?.fields),
          received,
          folder,
          token,
          get networks() {
            return networksOf(env.clientAddress);
          },
          hostCompany: env.hostCompany,
          browser: env.browser,
          get origin() {
            return client.origin();
          },
          onWait: () => env.onWait?.(),
          onQuota: client.onQuota,
          isUncounted: request.isUncounted,
          get url() {
            return request.url;
          },
          get request() {
            return request.request;
          },
        };
        const reply = await handle(input as HandlerInput<typeof call>);
        if (call.method !== "GET") services.nudgeAuditShipping?.();
        // The handler has stored pictures re-encoded.
        if (call.image && received.length > 0) await services.files.removeAll(folder);
        if (reply instanceof Response) return reply;
        return reply instanceof JsonReply ? linkPages(reply, query, request) : new JsonReply(reply, call.status);
      } catch (error) {
        if (actor && isForbidden(error)) auditRefusal(error, actor, call, client);
        if (received.length > 0 && !call.file) await removeUnusedFolder(services, folder);
        throw error;
      } finally {
        if (call.file && received.length > 0) await upload?.files.removeAll(folder);
        allowance?.release();
      }
    };
    const replyTo = (request: CallRequest, env: ClientContext) =>
      replyOf(services.log, request, async (onQuota) => {
        const client = clientOf(env, onQuota);
        return answer(request, env, { client, actor: await authorize(call, request.token, client) });
      });
    replies.set(nameOf(call), replyTo);
    server.on(call.method, path, async ({ req, env }: Context<{ Bindings: ClientContext }>) => {
      env.onRoute?.(`/api${path}`);
      const replied = await replyTo(readRequest(req), env);
      const response = replied instanceof JsonReply ? replied.toResponse() : replied;
      for (const [name, value] of call.isCrossOrigin ? crossOriginHeaders : []) response.headers.set(name, value);
      return response;
    });
  };
  const callInProcess: CallInProcess = async (call, request, env) => {
    const values = Object.values({ ...request.params, ...request.query }).join("\n");
    const refuse = (error: Error) => failureReply(services.log, error, request.signal);
    return refuseKeysIn(services, values).then(() => replies.get(nameOf(call))!(request, env), refuse);
  };
  return { server, on, callInProcess };
}

const isForbidden = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.status === 403 && !error.kind;

/** A page size or a cursor alone means the first page (`contract/fields.ts`). */
const withFirstPage = (query: Record<string, string>) =>
  ["per_page", "after", "before"].some((name) => query[name]) ? { ...query, page: query["page"] || "1" } : query;

const nameOf = ({ method, path }: Call) => `${method} ${path}`;

/** A call's reply or refusal, with the rest of its limit. */
async function replyOf(
  log: Log,
  request: CallRequest,
  answer: (onQuota: (quota: Quota) => void) => Promise<JsonReply | Response>,
) {
  let quotaLeft: Quota | undefined;
  const reply = await answer((quota) => void (quotaLeft = quota)).catch((error: Error) => {
    if (error instanceof HttpError && error.quota) quotaLeft = error.quota;
    return failureReply(log, error, request.signal);
  });
  for (const [name, value] of quotaLeft ? quotaHeaders(quotaLeft) : []) reply.headers.set(name, value);
  return reply;
}

export const clientOf = (
  { clientAddress, browser, isApi, onUser, page }: ClientContext,
  onQuota: (quota: Quota) => void,
): Client => ({
  isApi,
  onUser,
  onQuota,
  page,
  networks: () => networksOf(clientAddress),
  origin: () => originOf(networksOf(clientAddress), browser),
});

const callerOf = ({ company_id, key }: Actor, token: string, { access, proof, withoutFactor }: Call): Caller => ({
  company_id,
  access,
  session: key ? keyHash(token) : tokenHash(token),
  keyUse: key && "calls",
  steps: { ...(proof && { proof }), ...(withoutFactor && { withoutFactor }) },
});

const uploadLimits = { fileBytes: limits.fileBytes, files: limits.files, totalBytes: limits.documentBytes };

/** The destination and number of a call's files; undefined if it takes none. */
function uploadTo(
  folder: string,
  { files }: Pick<Services, "files">,
  call: Call,
  allowance: UploadAllowance | undefined,
): Upload | undefined {
  const { limits = uploadLimits } = allowance ?? {};
  if (call.file) return { files: passingFiles(files), folder, field: call.file, limits };
  if (call.files) return { files, folder, field: call.files, limits };
  return call.image && { files, folder, field: "image", limits: imageUploads };
}

function parse(schema: z.ZodObject | undefined, value: unknown): unknown {
  const parsed = schema?.safeParse(value);
  if (parsed?.error) throw invalid(errorsByField(parsed.error));
  return parsed?.data;
}
