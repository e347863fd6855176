import { z } from "zod";
import { call } from "./call.ts";
import { idParams, instant } from "./fields.ts";

/** Sessions that are open: one's own, and those of others for administrators of users. */

export const OpenSession = z
  .object({
    id: z.int(),
    browser: z.string().default("").meta({ description: "Such as Firefox on Windows; empty for a program" }),
    signed_in_at: instant,
    last_used_at: instant.meta({ description: "ISO-8601, UTC; to within five minutes" }),
    current: z.boolean().default(false).meta({ description: "Whether it is the session of this call" }),
  })
  .meta({ id: "OpenSession", description: "A session that has neither ended nor been idle for too long" });
export type OpenSession = z.output<typeof OpenSession>;

const write = { area: "users", right: "write" } as const;

/** A user's session in the path. */
const sessionParams = idParams.extend({ session: idParams.shape.id });

export const listOwnSessions = call({
  method: "GET",
  path: "/profile/sessions",
  summary: "One's own open sessions, the last used first",
  access: "signed-in",
  reply: z.array(OpenSession),
  status: 200,
});

export const endOtherSessions = call({
  method: "DELETE",
  path: "/profile/sessions",
  summary: "End all of one's own sessions but the one of this call",
  access: "signed-in",
  reply: null,
  status: 204,
});

export const endOwnSession = call({
  method: "DELETE",
  path: "/profile/sessions/{id}",
  summary: "End one of one's own sessions",
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
  summary: "End all of a user's sessions; of one's own all but the one of this call",
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
