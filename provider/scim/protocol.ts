import type { z } from "zod";
import { mebibytesInBytes } from "#lib/units.ts";
import { readText } from "#lib/intake/form-body.ts";
import { HttpError } from "../http/errors.ts";
import { failureReply } from "../http/failure-reply.ts";
import type { Log } from "../services.ts";
import { EmailTaken } from "../users/profile/email-taken.ts";

/** What all of SCIM's requests and replies have in common (RFC 7644). */

const messages = "urn:ietf:params:scim:api:messages:2.0";
export const urns = {
  user: "urn:ietf:params:scim:schemas:core:2.0:User",
  enterprise: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  group: "urn:ietf:params:scim:schemas:core:2.0:Group",
  list: `${messages}:ListResponse`,
  patch: `${messages}:PatchOp`,
  search: `${messages}:SearchRequest`,
  error: `${messages}:Error`,
};

/** How much one request may ask for. */
export const bounds = { bodyBytes: mebibytesInBytes(1), operations: 1000, members: 1000, filter: 1000, rows: 200 };

/** A JSON object of a client or for one. */
export type Resource = Record<string, unknown>;

/** A step of a PATCH. POST and PUT are one that replaces, without a path. */
export type Operation = { op: "add" | "remove" | "replace"; path?: string | undefined; value?: unknown };

type ScimType = "invalidFilter" | "invalidPath" | "invalidSyntax" | "invalidValue" | "mutability" | "noTarget";

/** A refusal with SCIM's name for its reason; `uniqueness` has the status 409. */
export class ScimError extends HttpError {
  readonly scimType: ScimType | "uniqueness";

  constructor(scimType: ScimType | "uniqueness", detail: string) {
    super(scimType === "uniqueness" ? 409 : 400, detail);
    this.scimType = scimType;
  }
}

/** What a schema makes of values. Throws `invalidValue` in its words. */
export function checked<Schema extends z.ZodObject>(schema: Schema, values: object): z.output<Schema> {
  const { success, data, error } = schema.safeParse(values);
  if (success) return data;
  throw new ScimError("invalidValue", error.issues.map(({ message }) => message).join(". "));
}

export const isObject = (value: unknown): value is Resource =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function scimReply(content: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const types = { "content-type": "application/scim+json", "cache-control": "no-store" };
  return new Response(content === undefined ? null : JSON.stringify(content), {
    status,
    headers: { ...types, ...headers },
  });
}

/** The reply to an error that a request threw, in SCIM's form. */
export async function scimFailure(log: Log, thrown: Error, signal: AbortSignal): Promise<Response> {
  const reply = failureReply(log, thrown, signal);
  if (reply.status === 499) return reply;
  const { message, errors } = (await reply.json()) as { message: string; errors?: Record<string, string[]> };
  const isTaken = thrown instanceof EmailTaken;
  const isInvalid = reply.status === 422 && !isTaken;
  const status = isTaken ? 409 : isInvalid ? 400 : reply.status;
  const scimType =
    thrown instanceof ScimError ? thrown.scimType : isTaken ? "uniqueness" : isInvalid ? "invalidValue" : undefined;
  const detail = errors ? Object.values(errors).flat().join(". ") : message;
  const wait = reply.headers.get("retry-after");
  return scimReply({ schemas: [urns.error], status: String(status), scimType, detail }, status, {
    ...(wait && { "retry-after": wait }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  });
}

/** The object of a request's body, which names `schema` as one of its schemas. Throws 400 or 413. */
export async function readObject(request: Request, schema: string): Promise<Resource> {
  const text = await readText(request, bounds.bodyBytes);
  if (text === undefined) throw new HttpError(413, "The body is too large");
  const body = parsed(text);
  if (!isObject(body)) throw new ScimError("invalidSyntax", "The body must be a JSON object");
  const schemas = [body["schemas"]].flat().map((name) => String(name).toLowerCase());
  if (schemas.includes(schema.toLowerCase())) return body;
  throw new ScimError("invalidSyntax", `The body must have ${schema} among its schemas`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ScimError("invalidSyntax", "The body is not JSON");
  }
}

/** The steps of a PATCH, whose names may have capitals, as Entra ID sends them. */
export function operationsOf(body: Resource): Operation[] {
  const steps = body["Operations"] ?? body["operations"];
  if (!Array.isArray(steps) || steps.length === 0) throw new ScimError("invalidSyntax", "Operations must be a list");
  if (steps.length > bounds.operations) throw new HttpError(413, `Send ${bounds.operations} operations at most`);
  return steps.map((step: unknown) => {
    const { op, path, value } = isObject(step) ? step : {};
    const name = String(op).toLowerCase();
    if (name !== "add" && name !== "remove" && name !== "replace") {
      throw new ScimError("invalidSyntax", "An operation’s op must be add, remove or replace");
    }
    if (path !== undefined && typeof path !== "string") {
      throw new ScimError("invalidPath", "An operation’s path must be a text");
    }
    if (name === "remove" && !path) throw new ScimError("noTarget", "An operation that removes needs a path");
    if (name !== "remove" && value === undefined) throw new ScimError("invalidValue", "An operation lacks its value");
    return { op: name, path: path || undefined, value };
  });
}
