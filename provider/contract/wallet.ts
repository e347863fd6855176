import { z } from "zod";
import { call } from "./call.ts";
import { flag, idParams, instant } from "./fields.ts";
import { Verification } from "./verify.ts";
import { walletFields } from "./wallet-fields.ts";

/** Documents as credentials (SD-JWT VC) in their holders' wallets, by OpenID4VCI 1.0. */

const Wallet = z
  .object({
    active: z.boolean().default(false).meta({ description: "Whether documents can be added to wallets" }),
    fields: z.array(z.enum(walletFields)).default([]).meta({
      description: "The fields that holders may leave out; name and custom_fields are in no other credential",
    }),
  })
  .meta({ id: "Wallet", description: "How the company's documents get into wallets" });

export const getWallet = call({
  method: "GET",
  path: "/company/wallet",
  summary: "Whether documents can be added to wallets, and which fields their holders may leave out",
  access: "signed-in",
  keys: true,
  reply: Wallet,
  status: 200,
});

export const updateWallet = call({
  method: "PUT",
  path: "/company/wallet",
  summary: "Turn wallets on or off; credentials that are in wallets already are not changed",
  access: { area: "co_profile", right: "write" },
  body: z.object({
    active: flag,
    fields: z
      .array(z.enum(walletFields, "Choose from the list of fields"))
      .max(walletFields.length, "Choose each field once")
      .default([])
      .overwrite((chosen) => walletFields.filter((field) => chosen.includes(field))),
  }),
  reply: Wallet,
  status: 200,
  refusals: [503],
});

export const WalletOffer = z
  .object({
    offer: z.string().meta({ description: "openid-credential-offer://…; a secret, in this reply alone" }),
    expires_at: instant.meta({ description: "Until when it can be opened" }),
  })
  .meta({ id: "WalletOffer", description: "A credential offer of OpenID4VCI with a pre-authorized code" });

export const createWalletOffer = call({
  method: "POST",
  path: "/documents/{id}/wallet-offers",
  summary: "An address that adds a document to one wallet, for whoever opens it first",
  access: { area: "docs", right: "write" },
  params: idParams,
  reply: WalletOffer,
  status: 201,
  refusals: [409, 429],
});

export const walletMetadata = call({
  method: "GET",
  path: "/wallet/issuers/{issuer}/{metadata}",
  summary: "What wallets and verifiers read of a company that issues credentials",
  access: "public",
  params: z.object({
    issuer: z
      .string()
      .regex(/^[\w-]{43}$/)
      .meta({ description: "The end of the issuer's address" }),
    metadata: z.enum(["openid-credential-issuer", "oauth-authorization-server", "jwt-vc-issuer", "type"]),
  }),
  reply: z.record(z.string(), z.unknown()),
  status: 200,
  refusals: [429],
});

// Texts of another form are refused as unknown ones are, with an error code of OAuth 2.0.
const secret = z.string().max(200).default("").catch("").meta({ type: "string" });
const proofs = z.object({ jwt: z.array(z.string().max(5000)).max(2).default([]) });

export const redeemWalletOffer = call({
  method: "POST",
  path: "/wallet/token",
  summary: "OAuth 2.0 token endpoint of wallets: a pre-authorized code for the token that fetches one credential",
  access: "public",
  isCrossOrigin: true,
  body: z.object({ grant_type: secret, "pre-authorized_code": secret }),
  reply: z.object({ access_token: z.string(), token_type: z.literal("Bearer"), expires_in: z.int() }),
  status: 200,
  refusals: [400, 429],
});

export const createWalletNonce = call({
  method: "POST",
  path: "/wallet/nonce",
  summary: "OpenID4VCI nonce endpoint: for the proof that a wallet has its key",
  access: "public",
  isCrossOrigin: true,
  reply: z.object({ c_nonce: z.string() }),
  status: 200,
  refusals: [429],
});

export const issueCredential = call({
  method: "POST",
  path: "/wallet/credential",
  summary: "OpenID4VCI credential endpoint: the document of a token, bound to the key of the proof",
  access: "public",
  isCrossOrigin: true,
  body: z.object({
    credential_configuration_id: secret,
    proofs: proofs
      .default({ jwt: [] })
      .catch({ jwt: [] })
      .meta({ type: "object", description: "As member jwt an array of one JWT" }),
    proof: z
      .object({ jwt: z.string().max(5000) })
      .optional()
      .catch(undefined)
      .meta({
        type: "object",
        description: "The only proof, as member jwt, as wallets send it that follow a draft of OpenID4VCI before 1.0",
      }),
  }),
  reply: z.object({ credentials: z.array(z.object({ credential: z.string() })) }),
  status: 200,
  refusals: [400, 401, 429, 503],
});

export const checkCredential = call({
  method: "POST",
  path: "/verify/credential",
  summary: "Whether a credential, or its QR code in a picture, is genuine and its document in force; stores neither",
  access: "public",
  body: z.object({ credential: z.string().max(20_000, "This text is too long").default("") }),
  file: "picture",
  fileIsOptional: true,
  reply: Verification.extend({
    code: z.string().meta({ description: "Empty if its holder left it out, as all fields that can be left out" }),
    name: z.string().default(""),
    custom_fields: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  }).meta({ id: "CheckedCredential", description: "A credential's document, as far as its holder shows it" }),
  status: 200,
  refusals: [404, 413, 422, 429, 503],
});
