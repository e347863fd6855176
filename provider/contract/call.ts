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
  params?: z.ZodObject;
  query?: z.ZodObject;
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
  /** Statuses of refusals beyond those that follow from `access`, `body` and the path's parameters. */
  refusals?: readonly (401 | 404 | 409 | 413 | 415 | 422 | 429 | 503)[];
};

/** Declares a call with the exact types of its parts. */
export const call = <const C extends Call>(declared: C) => declared;
