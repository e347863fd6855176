import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { keyPrefix, keyQuota } from "../contract/api-key-limits.ts";
import { type Call, keysMay } from "../contract/call.ts";
import { calls } from "../contract/calls.ts";
import { Refusal } from "../contract/fields.ts";

/** The OpenAPI document, generated from the contract that is served. */

const descriptions = {
  400: "Refused as OAuth 2.0 does: `error` says why",
  401: "No token or API key, or one that has expired or was revoked",
  403: "The access group or the scope of the API key does not allow it, or the user has to do first what `kind` says",
  404: "Missing, out of scope or another company's",
  409: "The record's state forbids it, or another user changed it meanwhile",
  413: "Too large, or too many fields or files",
  415: "Unsupported file type",
  422: "Invalid fields, or a page file that can't be opened",
  429: "Rate limit exceeded; Retry-After says when to try again",
  503: "Overloaded; Retry-After says when to try again",
} as const;

const { requests, seconds } = keyQuota;
const header = (description: string) => ({ description, schema: { type: "string" } as const });
const limitHeaders = {
  "RateLimit-Policy": header('A limit, as "api_key";q=300;w=60: 300 requests in 60 seconds'),
  RateLimit: header('What is left of it, as "api_key";r=299;t=60: 299 requests for 60 seconds'),
};
const retryHeader = { "Retry-After": header("Seconds after which to try again") };
const listHeaders = {
  "X-Total-Count": header("How many records the filters leave, where a page was asked for"),
  "X-Total-Is-Capped": header("1: counting stopped there"),
  Link: header("The addresses of the next and previous page (RFC 8288)"),
};

/** Names of operations, which generators of clients take. */
const operationNames = new Map<Call, string>(Object.entries(calls).map(([name, call]) => [call, name]));

/** Adds a call to the document. */
export function registerCall(registry: OpenAPIHono["openAPIRegistry"], call: Call) {
  const { method, path, summary, access, params, query, status, headers } = call;
  const operationId = operationNames.get(call);
  registry.registerPath({
    method: method.toLowerCase() as "get" | "post" | "put" | "delete",
    path,
    ...(operationId && { operationId }),
    summary,
    tags: [path.split("/")[1]!],
    security: access === "public" ? [] : [{ token: [] }],
    ...(typeof access === "object" ? { "x-area": access.area, "x-right": access.right } : {}),
    ...(call.proof ? { "x-proof": true } : {}),
    ...(access !== "public" && { "x-api-keys": keysMay(call) }),
    request: {
      params,
      query,
      ...(headers && { headers }),
      body: call.body && { required: !call.bodyIsOptional, content: bodyContent(call.body, call) },
    },
    responses: { [status]: successReply(call), ...refusals(call) },
  });
}

function bodyContent(body: z.ZodObject, { files, file: field, fileIsOptional, image }: Call) {
  const one = fileIsOptional ? file.optional() : file;
  if (field) return { "multipart/form-data": { schema: body.safeExtend({ [field]: one }) } };
  if (files) return { "multipart/form-data": { schema: body.safeExtend({ [`${files}[]`]: z.array(file).min(1) }) } };
  const form = image ? body.safeExtend({ image: file.optional() }) : body;
  return {
    "multipart/form-data": { schema: form },
    "application/x-www-form-urlencoded": { schema: body },
    "application/json": { schema: body },
  };
}

const file = z.any().meta({ type: "string", format: "binary" });

/** Whether replies have the headers of a rate limit. */
const isLimited = ({ access, isLimited }: Call) => access !== "public" || isLimited;

function successReply(call: Call) {
  const { reply, summary, query } = call;
  const headers = {
    ...(isLimited(call) && limitHeaders),
    ...(query && "per_page" in query.shape && listHeaders),
  };
  const described = { description: summary, headers };
  if (reply === null) return described;
  if (reply instanceof z.ZodType) return { ...described, content: { "application/json": { schema: reply } } };
  return {
    ...described,
    content: Object.fromEntries(reply.mediaTypes.map((type) => [type, { schema: file }])),
  };
}

function refusals(call: Call) {
  const { access, proof, withoutFactor, params, query, body, refusals = [] } = call;
  const statuses: (keyof typeof descriptions)[] = [...refusals];
  if (access !== "public") statuses.push(401, 429);
  if (access !== "public" && (typeof access === "object" || proof || !withoutFactor || !keysMay(call)))
    statuses.push(403);
  if (params) statuses.push(404);
  if (query || body) statuses.push(422);
  if (body) statuses.push(413);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: descriptions[status],
        headers: { ...(status === 429 || status === 503 ? retryHeader : {}), ...(status === 429 && limitHeaders) },
        content: { "application/json": { schema: Refusal } },
      },
    ]),
  );
}

/** The finished document. */
export function openApiDocument(server: Pick<OpenAPIHono, "openAPIRegistry" | "getOpenAPI31Document">) {
  server.openAPIRegistry.registerComponent("securitySchemes", "token", {
    type: "http",
    scheme: "bearer",
    description: `The token of POST /login, or an API key (${keyPrefix}…) where x-api-keys is true: ${requests} requests in ${seconds} seconds for each key`,
  });
  return server.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Sealdesk provider", version: "1", license: { name: "MIT" } },
  });
}
