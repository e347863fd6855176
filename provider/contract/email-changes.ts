import { z } from "zod";
import { call } from "./call.ts";
import { email, idParams } from "./fields.ts";

/** Changes of a user's email address, which wait until the link sent to it is confirmed. */

/** Only the embedded provider sends it. */
export const pendingEmail = z
  .string()
  .default("")
  .meta({ description: "An email address to be confirmed; empty if there is none" });

export const changeEmail = call({
  method: "POST",
  path: "/profile/email",
  summary: "Change the caller's email address, once the link sent to it is confirmed",
  access: "signed-in",
  proof: true,
  body: z.object({ email: email() }),
  reply: null,
  status: 204,
  refusals: [429, 503],
});

export const cancelEmail = call({
  method: "DELETE",
  path: "/profile/email",
  summary: "Cancel the pending change of the caller's email address",
  access: "signed-in",
  reply: null,
  status: 204,
});

export const resendEmail = call({
  method: "POST",
  path: "/profile/email/again",
  summary: "Send the caller's confirming link again; the earlier one ends",
  access: "signed-in",
  reply: null,
  status: 204,
  refusals: [409, 429],
});

const write = { area: "users", right: "write" } as const;

export const cancelUserEmail = call({
  method: "DELETE",
  path: "/users/{id}/email",
  summary: "Cancel the pending change of a user's email address",
  access: write,
  params: idParams,
  reply: null,
  status: 204,
});

export const resendUserEmail = call({
  method: "POST",
  path: "/users/{id}/email/again",
  summary: "Send a user's confirming link again; the earlier one ends",
  access: write,
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409, 429],
});

export const emailLink = call({
  method: "GET",
  path: "/email-confirmation",
  summary: "The email address that a link confirms; its token is the bearer",
  access: "public",
  reply: z.object({ email: z.string() }).meta({ id: "EmailLink", description: "What a confirming link confirms" }),
  status: 200,
  refusals: [401],
});

/** Not GET, because mail scanners open every link. */
export const confirmEmail = call({
  method: "POST",
  path: "/email-confirmation",
  summary: "Confirm an email address, with the link's token as the bearer; its user then signs in with it",
  access: "public",
  reply: null,
  status: 204,
  refusals: [401, 422, 429],
});
