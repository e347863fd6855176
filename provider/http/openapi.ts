import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Call } from "../contract/call.ts";
import { Refusal } from "../contract/fields.ts";

/** The OpenAPI document, generated from the contract that is served. */

const descriptions = {
  401: "No token, or an expired one",
  403: "The access group does not allow it, or the user has to do first what `kind` says",
  404: "Missing, out of scope or another company's",
  409: "The record's state forbids it, or another user changed it meanwhile",
  413: "Too large, or too many fields or files",
  415: "Unsupported file type",
  422: "Invalid fields, or a page file that can't be opened",
  429: "Rate limit exceeded; Retry-After says when to try again",
  503: "Overloaded; Retry-After says when to try again",
} as const;

/** Adds a call to the document. */
export function registerCall(registry: OpenAPIHono["openAPIRegistry"], call: Call) {
  const { method, path, summary, access, params, query, status } = call;
  registry.registerPath({
    method: method.toLowerCase() as "get" | "post" | "put" | "delete",
    path,
    summary,
    tags: [path.split("/")[1]!],
    security: access === "public" ? [] : [{ token: [] }],
    ...(typeof access === "object" ? { "x-area": access.area, "x-right": access.right } : {}),
    ...(call.proof ? { "x-proof": true } : {}),
    request: {
      params,
      query,
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

function successReply({ reply, summary }: Call) {
  if (reply === null) return { description: summary };
  if (reply instanceof z.ZodType) return { description: summary, content: { "application/json": { schema: reply } } };
  return {
    description: summary,
    content: Object.fromEntries(reply.mediaTypes.map((type) => [type, { schema: file }])),
  };
}

function refusals({ access, proof, withoutFactor, params, query, body, refusals = [] }: Call) {
  const statuses: (keyof typeof descriptions)[] = [...refusals];
  if (access !== "public") statuses.push(401);
  if (typeof access === "object" || proof || (access !== "public" && !withoutFactor)) statuses.push(403);
  if (params) statuses.push(404);
  if (query || body) statuses.push(422);
  if (body) statuses.push(413);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: descriptions[status], content: { "application/json": { schema: Refusal } } },
    ]),
  );
}

/** The finished document. */
export function openApiDocument(server: Pick<OpenAPIHono, "openAPIRegistry" | "getOpenAPI31Document">) {
  server.openAPIRegistry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  return server.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Sealdesk provider", version: "1", license: { name: "MIT" } },
  });
}
