import { z } from "zod";
import { call } from "./call.ts";
import { email, idParams } from "./fields.ts";

/** Another email address for a user: it waits until the link that is sent there is opened and confirmed. */

/** Of the user who makes the change; needed unless they signed in within the last ten minutes. */
export const currentPassword = z
  .string()
  .max(1024, "Shorten the current password to 1024 characters")
  .optional()
  .meta({ description: "The caller's own; needed with another email unless they signed in within ten minutes" });

/** Only the embedded provider sends it. */
export const pendingEmail = z
  .string()
  .default("")
  .meta({ description: "An email address that waits to be confirmed; empty where there is none" });

export const changeEmail = call({
  method: "POST",
  path: "/profile/email",
  summary: "Change one's own email address, once the link that is sent there is confirmed",
  access: "signed-in",
  body: z.object({ email: email(), current_password: currentPassword }),
  reply: null,
  status: 204,
  refusals: [429, 503],
});

export const cancelEmail = call({
  method: "DELETE",
  path: "/profile/email",
  summary: "Cancel the change of one's own email address that waits to be confirmed",
  access: "signed-in",
  reply: null,
  status: 204,
});

export const resendEmail = call({
  method: "POST",
  path: "/profile/email/again",
  summary: "Send the link that confirms one's own new email address again; the earlier one ends",
  access: "signed-in",
  reply: null,
  status: 204,
  refusals: [409, 429],
});

const write = { area: "users", right: "write" } as const;

export const cancelUserEmail = call({
  method: "DELETE",
  path: "/users/{id}/email",
  summary: "Cancel the change of a user's email address that waits to be confirmed",
  access: write,
  params: idParams,
  reply: null,
  status: 204,
});

export const resendUserEmail = call({
  method: "POST",
  path: "/users/{id}/email/again",
  summary: "Send the link that confirms a user's new email address again; the earlier one ends",
  access: write,
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409, 429],
});

export const emailLink = call({
  method: "GET",
  path: "/email-confirmation",
  summary: "The email address that a link confirms, whose token is the bearer",
  access: "public",
  reply: z.object({ email: z.string() }).meta({ id: "EmailLink", description: "What a confirming link is about" }),
  status: 200,
  refusals: [401],
});

/** No GET, as programs that check mail for harmful links open each. */
export const confirmEmail = call({
  method: "POST",
  path: "/email-confirmation",
  summary: "Confirm an email address with the link's token as the bearer: its user signs in with it from now on",
  access: "public",
  reply: null,
  status: 204,
  refusals: [401, 422, 429],
});
