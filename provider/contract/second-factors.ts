import { z } from "zod";
import { call } from "./call.ts";
import { idParams, instant } from "./fields.ts";
import { Session } from "./sessions.ts";

/** Second factors: authenticator apps and recovery codes, the second step of a sign-in, and proofs of presence. */

const oneTimeCode = (label: string) =>
  z.string(`Enter the ${label}`).trim().min(1, `Enter the ${label}`).max(100, `Shorten the ${label} to 100 characters`);

export const confirmSignIn = call({
  method: "POST",
  path: "/login/second-factor",
  summary: "The second step of a sign-in, with the token that POST /login gave as the bearer",
  access: "public",
  body: z.object({
    code: oneTimeCode("one-time code").meta({
      description: "The six digits of the authenticator app, or a recovery code, which works once",
    }),
  }),
  reply: Session.extend({
    recovery_codes: z.int().optional().meta({ description: "Recovery codes left, if one was used" }),
  }).meta({ id: "ConfirmedSession", description: "A signed-in user" }),
  status: 200,
  refusals: [401, 429],
});

const Setup = z.object({
  secret: z.string().meta({ description: "In base32, to be typed into the authenticator app" }),
  address: z.string().meta({ description: "otpauth://totp/…, to be shown as a QR code" }),
});

const SecondFactor = z
  .object({
    set_up_at: instant
      .nullable()
      .default(null)
      .meta({ description: "Since when there is an authenticator app; null without one" }),
    recovery_codes: z.int().default(0).meta({ description: "Unused recovery codes" }),
    required: z.boolean().default(false).meta({ description: "Whether the caller’s access group requires one" }),
    has_password: z
      .boolean()
      .default(true)
      .meta({ description: "Whether the caller proves to be present by a password" }),
    passwords_off: z.boolean().default(false).meta({
      description: "Whether all of the caller's company sign in by single sign-on alone: no passwords, no passkeys",
    }),
    pending: Setup.nullable().default(null).meta({
      description: "A set-up that waits for its first one-time code; null unless the caller proved to be present",
    }),
  })
  .meta({ id: "SecondFactor", description: "The caller's second factor" });

export const getSecondFactor = call({
  method: "GET",
  path: "/profile/second-factor",
  summary: "The caller's second factor",
  access: "signed-in",
  withoutFactor: true,
  reply: SecondFactor,
  status: 200,
});

export const beginSecondFactor = call({
  method: "POST",
  path: "/profile/second-factor",
  summary: "Begin to set up an authenticator app, for an hour; one that is set up stays until the new one is confirmed",
  access: "signed-in",
  withoutFactor: true,
  proof: true,
  reply: Setup.meta({ id: "SecondFactorSetup", description: "The secret of an authenticator app" }),
  status: 201,
});

const RecoveryCodes = z
  .object({ recovery_codes: z.array(z.string()).meta({ description: "Ten, in groups of five characters" }) })
  .meta({ id: "RecoveryCodes", description: "Recovery codes, in this reply alone; each works once" });

export const confirmSecondFactor = call({
  method: "PUT",
  path: "/profile/second-factor",
  summary: "Confirm the authenticator app by its first one-time code; the caller's other sessions end",
  access: "signed-in",
  withoutFactor: true,
  proof: true,
  body: z.object({ code: oneTimeCode("one-time code") }),
  reply: RecoveryCodes,
  status: 200,
  refusals: [409, 429],
});

export const removeSecondFactor = call({
  method: "DELETE",
  path: "/profile/second-factor",
  summary: "Remove the caller's authenticator app and recovery codes",
  access: "signed-in",
  proof: true,
  reply: null,
  status: 204,
  refusals: [409],
});

export const createRecoveryCodes = call({
  method: "POST",
  path: "/profile/second-factor/recovery-codes",
  summary: "Make ten new recovery codes; earlier ones no longer work",
  access: "signed-in",
  proof: true,
  reply: RecoveryCodes,
  status: 201,
  refusals: [409],
});

export const clearUserSecondFactor = call({
  method: "DELETE",
  path: "/users/{id}/second-factor",
  summary:
    "Remove a user's authenticator app, recovery codes and passkeys; the user is notified, and their sessions and API keys end",
  access: { area: "users", right: "write" },
  proof: true,
  params: idParams,
  reply: null,
  status: 204,
  refusals: [409],
});

export const prove = call({
  method: "POST",
  path: "/profile/proof",
  summary: "Prove to be present: for ten minutes the session may make calls that need a proof",
  access: "signed-in",
  withoutFactor: true,
  body: z.object({
    current_password: z
      .string("Enter your password")
      .min(1, "Enter your password")
      .max(1024, "Shorten the password to 1024 characters"),
    code: z.string().trim().max(100, "Shorten the one-time code to 100 characters").default("").meta({
      description: "A one-time code or a recovery code; required of users with a second factor",
    }),
  }),
  reply: null,
  status: 204,
  refusals: [429],
});
