import { z } from "zod";
import { call } from "./call.ts";
import { flag, requiredText, text, version } from "./fields.ts";
import { Session } from "./sessions.ts";

/** Signing in at an identity provider: OpenID Connect's code flow with PKCE. */

const address = text("sign-in address", 64).meta({
  description: "The end of a company's sign-in address; empty for the identity provider of the operator",
});

export const signInWays = call({
  method: "GET",
  path: "/single-sign-on",
  summary: "How users sign in, here or at a company's own sign-in address",
  access: "public",
  query: z.object({ address }),
  reply: z
    .object({
      passwords: z
        .boolean()
        .meta({ description: "Whether passwords sign in here; companies can switch off their own" }),
      identity_provider: z
        .string()
        .nullable()
        .meta({ description: "The host of the identity provider; null if there is none at this address" }),
      company: z.string().nullable().meta({ description: "The company whose sign-in address this is; null for none" }),
    })
    .meta({ id: "SignInWays", description: "How users sign in" }),
  status: 200,
  refusals: [429],
});

export const beginSingleSignOn = call({
  method: "POST",
  path: "/single-sign-on/begin",
  summary: "Begin a sign-in at an identity provider, which the browser is sent to",
  access: "public",
  body: z.object({ address }),
  reply: z
    .object({
      url: z.string().meta({ description: "The identity provider's own address for this sign-in" }),
      attempt: z.string().meta({ description: "A secret of the browser that begins; it works once, for ten minutes" }),
    })
    .meta({ id: "SingleSignOnAttempt", description: "A sign-in at an identity provider that has begun" }),
  status: 200,
  refusals: [429],
});

export const endSingleSignOn = call({
  method: "POST",
  path: "/single-sign-on/end",
  summary: "Sign in with the answer of the identity provider, in the browser that began",
  access: "public",
  body: z.object({
    address,
    attempt: requiredText("attempt", 100),
    answer: z
      .string()
      .max(8000, "Shorten the answer to 8000 characters")
      .default("")
      .meta({ description: "The query string with which the identity provider sent the browser back" }),
  }),
  reply: Session.extend({
    sign_out_origin: z
      .string()
      .default("")
      .meta({ description: "The origin that signing out leads to; empty if the identity provider has none" }),
  }).meta({ id: "SingleSignOnSession", description: "A user signed in by an identity provider" }),
  status: 200,
  refusals: [429],
});

export const singleSignOut = call({
  method: "POST",
  path: "/single-sign-on/sign-out",
  summary: "Sign out here: the token is no longer valid. The reply says where to sign out at the identity provider",
  access: "signed-in",
  reply: z
    .object({ url: z.string().nullable().meta({ description: "For the browser; null if there is none" }) })
    .meta({ id: "SingleSignOut", description: "Where to sign out as well" }),
  status: 200,
});

export const IdentityProvider = z
  .object({
    issuer: z.string().default("").meta({ description: "Its address; empty if none is configured" }),
    client_id: z.string().default(""),
    has_secret: z.boolean().default(false).meta({ description: "Whether a secret is stored; no reply has it" }),
    groups_claim: z.string().default("").meta({ description: "The claim with a user's groups; empty for none" }),
    passwords_off: z.boolean().default(false).meta({ description: "Whether the company's users have no passwords" }),
    sign_in_address: z.string().default("").meta({ description: "Where the company's users begin" }),
    return_address: z.string().default("").meta({ description: "To be allowed at the identity provider" }),
    sign_out_address: z.string().default("").meta({ description: "Likewise, for after signing out" }),
    version: z.int().default(0),
  })
  .meta({ id: "IdentityProvider", description: "A company's own identity provider" });
export type IdentityProvider = z.output<typeof IdentityProvider>;

/** Administrators only: whoever controls the identity provider could sign in as any user of the company. */
const access = { area: "roles", right: "write" } as const;

export const getIdentityProvider = call({
  method: "GET",
  path: "/company/single-sign-on",
  summary: "The company's own identity provider, for administrators",
  access,
  reply: IdentityProvider,
  status: 200,
});

export const setIdentityProvider = call({
  method: "PUT",
  path: "/company/single-sign-on",
  summary: "Configure the company's own identity provider, once it answers",
  access,
  proof: true,
  body: z.object({
    issuer: requiredText("address of the identity provider", 500).refine(
      (value) => value === "" || isIssuer(value),
      "Enter an address like https://login.company.example, without ? and #",
    ),
    client_id: requiredText("client ID", 500),
    client_secret: text("client secret", 1000).meta({ description: "Unchanged if empty" }),
    groups_claim: text("groups claim", 200),
    passwords_off: flag,
    version: version.optional(),
  }),
  reply: IdentityProvider,
  status: 200,
  refusals: [409, 429],
});

function isIssuer(value: string) {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
}

export const removeIdentityProvider = call({
  method: "POST",
  path: "/company/single-sign-on/remove",
  summary: "Remove the company's own identity provider: its users sign in by passwords again",
  access,
  proof: true,
  reply: null,
  status: 204,
  refusals: [429],
});
