import { z } from "zod";
import { call } from "./call.ts";
import { email, requiredText, text } from "./fields.ts";
import { passwordFields, samePasswords } from "./passwords.ts";
import { User } from "./users.ts";

export const Session = z
  .object({ user: User, token: z.string().min(1).meta({ description: "Opaque; sent as the bearer of later calls" }) })
  .meta({ id: "Session", description: "A signed-in user" });

/** Other providers have no second step. */
const SecondStep = z
  .object({
    second_factor: z.literal("one-time code").meta({ description: "What the second step asks for" }),
    token: z.string().min(1).meta({ description: "The bearer of POST /login/second-factor, for ten minutes" }),
  })
  .meta({ id: "SecondStep", description: "The password was right; a one-time code opens the session" });

const SessionOrStep = z.union([Session, SecondStep]);

/** Only checks that both fields are filled in; a refusal is one message for both. */
export const login = call({
  method: "POST",
  path: "/login",
  summary: "Sign in; users with a second factor get a token for the second step instead of a session",
  access: "public",
  body: z.object({
    email: requiredText("email address", 254),
    password: z
      .string("Enter the password")
      .min(1, "Enter the password")
      .max(1024, "Shorten the password to 1024 characters"),
  }),
  reply: SessionOrStep,
  status: 200,
  refusals: [429],
});

export const logout = call({
  method: "POST",
  path: "/logout",
  summary: "Sign out: the token is no longer valid",
  access: "signed-in",
  withoutFactor: true,
  reply: null,
  status: 204,
});

/** At first start the form has more fields, all required. */
export const founderFields = {
  company: requiredText("company’s name", 100),
  name: requiredText("name", 100),
  email: email(),
};
export const foundingSignup = z
  .object({ ...founderFields, ...passwordFields })
  .refine(samePasswords.check, samePasswords.refusal);

export const signup = call({
  method: "POST",
  path: "/signup",
  summary:
    "Set a password with the token of an invitation or reset link as the bearer; at first start, name the company",
  access: "public",
  body: z
    .object({
      ...passwordFields,
      company: text("company’s name", 100),
      name: text("name", 100),
      email: text("email address", 254),
    })
    .refine(samePasswords.check, samePasswords.refusal),
  reply: SessionOrStep,
  status: 200,
  refusals: [401, 409, 429],
});

export const signupLink = call({
  method: "GET",
  path: "/signup",
  summary: "Whom an invitation or reset link is for; its token is the bearer",
  access: "public",
  reply: z
    .object({
      kind: z.enum(["first", "invitation", "reset"]).meta({
        description: "first: it founds the company, and its user is not known yet",
      }),
      name: z.string().default(""),
      email: z.string().default(""),
      company: z.string().default(""),
    })
    .meta({ id: "SignupLink", description: "For whom a link to /signup is" }),
  status: 200,
  refusals: [401, 409],
});

export const forgotPassword = call({
  method: "POST",
  path: "/forgot-password",
  summary: "Send a reset link; the reply is the same for unknown addresses",
  access: "public",
  body: z.object({ email: email() }),
  reply: null,
  status: 204,
  refusals: [429],
});

/** Links that the operator makes for a user who can't sign in otherwise. */
export const signInLink = call({
  method: "GET",
  path: "/sign-in-link",
  summary: "Whom a sign-in link of the operator is for; its token is the bearer",
  access: "public",
  reply: z
    .object({ name: z.string().default(""), email: z.string().default("") })
    .meta({ id: "SignInLink", description: "For whom a sign-in link is" }),
  status: 200,
  refusals: [401, 429],
});

export const signInByLink = call({
  method: "POST",
  path: "/sign-in-link",
  summary: "Sign in with the token of a sign-in link as the bearer, which works once",
  access: "public",
  reply: Session,
  status: 200,
  refusals: [401, 429],
});
