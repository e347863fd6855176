import { z } from "zod";
import { call } from "./call.ts";
import { flag, idParams, instant } from "./fields.ts";

/** Keys that sign sealed PDFs and codes: the company's own, and the public parts of all. */

export const revocationReasons = ["compromised", "superseded", "unspecified"] as const;
export type RevocationReason = (typeof revocationReasons)[number];

export const SealKey = z
  .object({
    id: z.int(),
    short_id: z.string().meta({ description: "The first 4 bytes of the thumbprint, as signed codes carry them" }),
    thumbprint: z.string().meta({ description: "RFC 7638; `kid` of /.well-known/jwks.json" }),
    fingerprint: z.string().meta({ description: "SHA-256 of the certificate, as PDF readers show it" }),
    state: z
      .enum(["next", "active", "retired", "revoked"])
      .meta({ description: "`next` is published and does not sign yet, `active` signs" }),
    since: instant.meta({ description: "When it was made; ISO-8601, UTC" }),
    used_from: instant
      .nullable()
      .default(null)
      .meta({ description: "When it came into use, or will; null for one that ended before" }),
    ended_at: instant.nullable().default(null).meta({ description: "When it was retired or revoked" }),
    revoked_reason: z.enum(revocationReasons).nullable().default(null),
    is_outdated: z.boolean().default(false).meta({
      description: "Whether its certificate says otherwise than the company’s profile, or names no revocation list",
    }),
    reaches_readers: z.boolean().default(true).meta({
      description:
        "Whether PDF readers learn that it is revoked: its certificate names a revocation list, which has it or can be signed here",
    }),
  })
  .meta({ id: "SealKey", description: "A key of the company, without its private part" });
export type SealKey = z.output<typeof SealKey>;

export const listSealKeys = call({
  method: "GET",
  path: "/company/seal-keys",
  summary: "The company's seal keys, the newest first; none before the first seal",
  access: { area: "co_profile", right: "read" },
  reply: z.array(SealKey),
  status: 200,
});

const access = { area: "co_profile", right: "write" } as const;
const change = { access, proof: true, refusals: [409, 429, 503] } as const;

export const nameSealKeys = call({
  method: "PUT",
  path: "/company/seal-keys/name",
  summary: "Whether the company's published keys have its name, for everybody to read",
  access,
  keys: false,
  body: z.object({ name_beside_keys: flag }),
  reply: null,
  status: 204,
});

export const rotateSealKey = call({
  method: "POST",
  path: "/company/seal-keys/rotate",
  summary:
    "Make a new seal key; it is published for a day and then used, when the earlier one is retired. A first one is used at once",
  ...change,
  reply: SealKey,
  status: 201,
});

export const revokeSealKey = call({
  method: "POST",
  path: "/company/seal-keys/{id}/revoke",
  summary:
    "Revoke a seal key: offline checks no longer accept what it signed. Where it was in use and another is next, that one is used from now on",
  ...change,
  params: idParams,
  body: z.object({
    revoked_reason: z.enum(revocationReasons, "Choose a reason").meta({ description: "Published with the key" }),
  }),
  reply: SealKey,
  status: 200,
});

const seconds = z.int().meta({ description: "Seconds since 1970" });

/** A JSON Web Key (RFC 7517), and whose it is if that company says so: no company is to learn of others here. */
export const PublishedSealKey = z
  .object({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    alg: z.literal("ES256"),
    use: z.literal("sig"),
    kid: z.string().meta({ description: "The RFC 7638 thumbprint; its bytes are the certificate’s key identifier" }),
    "x5t#S256": z.string().optional().meta({ description: "SHA-256 of its certificate (RFC 7517)" }),
    iss_name: z.string().optional().meta({ description: "The company's name, if it wants that; unverified" }),
    nbf: z.int().meta({ description: "Seconds since 1970: when it came into use, or will" }),
    status_list: z
      .string()
      .optional()
      .meta({ description: "The address of its company’s status list, which keys of the same company have too" }),
    revoked_at: seconds.optional(),
    revoked_reason: z.enum(revocationReasons).optional(),
  })
  .meta({ id: "PublishedSealKey", description: "The public part of a seal key" });

export const publishedSealKeys = call({
  method: "GET",
  path: "/seals/keys",
  summary: "The public seal keys of all companies, also of those that have ended, as a JWK Set",
  access: "public",
  reply: z.object({ keys: z.array(PublishedSealKey) }),
  status: 200,
  refusals: [429],
});

export const publishedStatusLists = call({
  method: "GET",
  path: "/seals/status-lists",
  summary: "The addresses of all status lists",
  access: "public",
  reply: z.object({ status_lists: z.array(z.string()) }),
  status: 200,
  refusals: [429],
});

export const publishedStatusList = call({
  method: "GET",
  path: "/seals/status-lists/{list}",
  summary: "Which codes of a company are still in force, signed: an IETF Token Status List",
  access: "public",
  params: z.object({
    list: z
      .string()
      .regex(/^[\w-]{1,100}$/)
      .meta({ description: "The end of the list’s address" }),
  }),
  reply: z.object({ token: z.string().meta({ description: "A JWT of the type statuslist+jwt" }) }),
  status: 200,
  refusals: [429],
});

export const publishedRevocationList = call({
  method: "GET",
  path: "/seals/revocation-lists/{list}",
  summary: "The revoked keys of a root certificate, signed by it: an X.509 CRL (RFC 5280)",
  access: "public",
  params: z.object({
    list: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .meta({ description: "The end of the list’s address: the identifier of the root’s key" }),
  }),
  reply: z.object({ list: z.string().meta({ description: "DER in base64" }) }),
  status: 200,
  refusals: [429],
});

export const SealRoot = z
  .object({
    subject: z.string().meta({ description: "The name in the certificate" }),
    certificate: z.string().meta({ description: "PEM" }),
    fingerprint: z.string().meta({ description: "SHA-256 of the certificate" }),
    since: instant,
    retired_at: instant.nullable().default(null),
  })
  .meta({ id: "SealRoot", description: "A root certificate of this installation" });
export type SealRoot = z.output<typeof SealRoot>;

export const publishedSealRoots = call({
  method: "GET",
  path: "/seals/roots",
  summary: "The root certificates of this installation, the newest first",
  access: "public",
  reply: z.array(SealRoot),
  status: 200,
  refusals: [429],
});
