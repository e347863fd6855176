import type { z } from "zod";
import type { Area, Right } from "./permissions.ts";

/** Who may call: everyone, signed-in users, or users with a right in an area. */
export type Access = "public" | "signed-in" | { area: Area; right: Right };

/** A call of the wire contract, from which the provider, the web app and the OpenAPI document are made. */
export type Call = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api`, with parameters in braces: `/documents/{id}`. */
  path: string;
  summary: string;
  access: Access;
  /** Whether its user must have signed in, or proved to be present, within the last ten minutes. */
  proof?: true;
  /** Whether users whose access group requires a second factor may make it before they have one. */
  withoutFactor?: true;
  /** Whether API keys may make it within their scope, if `keysMay` would decide otherwise. */
  keys?: boolean;
  /** Whether pages of other sites may make it. */
  isCrossOrigin?: true;
  /** Whether each reply says how much of a rate limit is left, also to callers without an API key. */
  isLimited?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers that clients may send, for the document alone. */
  headers?: z.ZodObject;
  body?: z.ZodObject;
  /** Whether it may be called without a body, as other clients do. */
  bodyIsOptional?: true;
  /** The body's field for a list of files, sent as `name[]`. */
  files?: string;
  /** The body's field for one file, which is on this machine until the call ends. */
  file?: string;
  /** Whether the form may be without that file. */
  fileIsOptional?: true;
  /** Whether the form may have a picture, the file `image`. */
  image?: true;
  /** A good reply: JSON of this shape, a file of one of these media types, or nothing. */
  reply: z.ZodType | { mediaTypes: readonly string[] } | null;
  /** Whether the status is enough: other providers may reply with anything (`docs/specification.md` section 7). */
  replyIsOptional?: true;
  /** The status of a good reply. */
  status: 200 | 201 | 204;
  /** Statuses of refusals beyond the ones implied by `access`, `body` and the path's parameters. */
  refusals?: readonly (400 | 401 | 404 | 409 | 413 | 415 | 422 | 429 | 503)[];
};

/** What we send of a schema: all that it has a default for, which other providers may leave out, too. */
export type Complete<Schema extends z.ZodType> = z.input<Schema> & {
  [Name in keyof z.output<Schema> as undefined extends z.output<Schema>[Name] ? never : Name]: unknown;
};

/** Areas whose changes decide who may sign in, what they may do, and what it costs. */
const accountAreas: readonly Area[] = ["users", "roles", "tariffs"];

/**
 * Whether API keys may make a call within their scope. One's own account is for its user alone, and no key gives access to
 * anyone; calls that are declared otherwise say why.
 */
export function keysMay({ access, proof, keys }: Pick<Call, "access" | "proof" | "keys">): boolean {
  // Nobody is present.
  if (proof) return false;
  if (access === "public") return true;
  if (keys !== undefined) return keys;
  return access !== "signed-in" && (access.right === "read" || !accountAreas.includes(access.area));
}

/** Declares a call with the exact types of its parts. */
export const call = <const C extends Call>(declared: C) => declared;
