import type { z } from "zod";
import type { Area, Right } from "./permissions.ts";

/** Who may call: anybody, anybody signed in, or those whose access group gives them a right in an area. */
export type Access = "public" | "signed-in" | { area: Area; right: Right };

/** One call of the wire contract. The provider serves it, the web app sends it and the OpenAPI document describes it. */
export type Call = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api`, with parameters in braces: `/documents/{id}`. */
  path: string;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The body's field that holds a list of files, if it takes any; sent as `name[]`. */
  files?: string;
  /** Whether the form may bring a picture, as the file `image`. */
  image?: true;
  /** What a good answer holds: JSON of this shape, a file of one of these media types, or nothing. */
  reply: z.ZodType | { mediaTypes: readonly string[] } | null;
  /** Whether a good status is enough: other providers answer this call with anything (`docs/specification.md` section 7). */
  replyIsOptional?: true;
  /** The status of a good answer. */
  status: 200 | 201 | 204;
  /** Refusals beyond those that `access`, `body` and the path's parameters bring by themselves. */
  refusals?: readonly (401 | 404 | 409 | 413 | 415 | 422 | 429 | 503)[];
};

/** Declares a call; only gives its parts their exact types. */
export const call = <const C extends Call>(declared: C) => declared;
