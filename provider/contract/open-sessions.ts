import { z } from "zod";
import { call } from "./call.ts";
import { idParams, instant } from "./fields.ts";

/** Open sessions: the caller's own, and those of users whom the caller may change. */

export const OpenSession = z
  .object({
    id: z.int(),
    browser: z.string().default("").meta({ description: "For example Firefox on Windows; empty for other clients" }),
    signed_in_at: instant,
    last_used_at: instant.meta({ description: "ISO-8601, UTC; to within five minutes" }),
    current: z.boolean().default(false).meta({ description: "Whether it is the caller's session" }),
  })
  .meta({ id: "OpenSession", description: "A session that has neither ended nor expired" });
export type OpenSession = z.output<typeof OpenSession>;

const write = { area: "users", right: "write" } as const;

/** A user's session in the path. */
const sessionParams = idParams.extend({ session: idParams.shape.id });

export const listOwnSessions = call({
  method: "GET",
  path: "/profile/sessions",
  summary: "The caller's open sessions, the last used first",
  access: "signed-in",
  reply: z.array(OpenSession),
  status: 200,
});

export const endOtherSessions = call({
  method: "DELETE",
  path: "/profile/sessions",
  summary: "End the caller's other sessions",
  access: "signed-in",
  reply: null,
  status: 204,
});

export const endOwnSession = call({
  method: "DELETE",
  path: "/profile/sessions/{id}",
  summary: "End one of the caller's sessions",
  access: "signed-in",
  params: idParams,
  reply: null,
  status: 204,
});

export const listUserSessions = call({
  method: "GET",
  path: "/users/{id}/sessions",
  summary: "A user's open sessions, the last used first",
  access: write,
  params: idParams,
  reply: z.array(OpenSession),
  status: 200,
});

export const endUserSessions = call({
  method: "DELETE",
  path: "/users/{id}/sessions",
  summary: "End all of a user's sessions, except the caller's own",
  access: write,
  params: idParams,
  reply: null,
  status: 204,
});

export const endUserSession = call({
  method: "DELETE",
  path: "/users/{id}/sessions/{session}",
  summary: "End one of a user's sessions",
  access: write,
  params: sessionParams,
  reply: null,
  status: 204,
});
