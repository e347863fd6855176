import type { z } from "zod";
import type { walletMetadata } from "../contract/wallet.ts";
import { privateWalletFields, type WalletField, walletFields } from "../contract/wallet-fields.ts";
import { publishedKeys } from "../seal/keys/public-keys.ts";
import type { Services } from "../services.ts";
import { fieldsOf, type Issuer, issuerUrl, typeUrl } from "./issuers.ts";

/** What wallets and verifiers read of an issuer (OpenID4VCI 1.0, RFC 8414, SD-JWT VC). */

export const configurationId = "document";
export const preAuthorized = "urn:ietf:params:oauth:grant-type:pre-authorized_code";

const names: Record<WalletField | "number" | "issuer_name" | "date", string> = {
  number: "Number",
  issuer_name: "Issuer",
  document_type: "Type",
  document_subtype: "Subtype",
  branch: "Branch",
  date: "Date",
  pages: "Pages",
  code: "Verification code",
  name: "Name",
  custom_fields: "Fields",
};

const display = (name: string) => [{ name, locale: "en" }];

/** The claims of a credential that a company's documents have, with their names. */
function claimsOf(issuer: Issuer) {
  const hideable = fieldsOf(issuer);
  const shown = walletFields.filter((field) => hideable.includes(field) || !privateWalletFields.includes(field));
  return (["number", "issuer_name", "date", ...shown] as const).map((field) => ({
    path: [field],
    name: names[field],
    sd: hideable.some((one) => one === field) ? ("always" as const) : ("never" as const),
  }));
}

type Metadata = z.output<typeof walletMetadata.params>["metadata"];

/** Undefined for what an issuer has only while wallets are turned on. */
export async function metadataOf(
  services: Services,
  issuer: Issuer,
  metadata: Metadata,
): Promise<Record<string, unknown> | undefined> {
  const { publicUrl } = services;
  const iss = issuerUrl(publicUrl, issuer.issuer);
  if (metadata === "type") return typeOf(publicUrl, issuer);
  if (metadata === "jwt-vc-issuer") return { issuer: iss, jwks: { keys: await keysOf(services, issuer) } };
  if (!issuer.wallet) return undefined;
  if (metadata === "oauth-authorization-server") {
    return {
      issuer: iss,
      token_endpoint: `${publicUrl}/api/wallet/token`,
      token_endpoint_auth_methods_supported: ["none"],
      grant_types_supported: [preAuthorized],
      response_types_supported: [],
      "pre-authorized_grant_anonymous_access_supported": true,
    };
  }
  const claims = claimsOf(issuer).map(({ path, name }) => ({ path, display: display(name) }));
  return {
    credential_issuer: iss,
    credential_endpoint: `${publicUrl}/api/wallet/credential`,
    nonce_endpoint: `${publicUrl}/api/wallet/nonce`,
    display: [{ name: issuer.name }],
    credential_configurations_supported: {
      [configurationId]: {
        format: "dc+sd-jwt",
        vct: typeUrl(publicUrl, issuer.issuer),
        cryptographic_binding_methods_supported: ["jwk"],
        credential_signing_alg_values_supported: ["ES256"],
        proof_types_supported: { jwt: { proof_signing_alg_values_supported: ["ES256", "EdDSA"] } },
        credential_metadata: { display: display("Document"), claims },
      },
    },
  };
}

const typeOf = (publicUrl: string, issuer: Issuer) => ({
  vct: typeUrl(publicUrl, issuer.issuer),
  name: "Document",
  description: "A document whose issuer says whether it is in force",
  display: display("Document"),
  claims: claimsOf(issuer).map(({ path, name, sd }) => ({ path, display: [{ label: name, locale: "en" }], sd })),
});

/** An issuer's keys of which none was revoked. */
async function keysOf(services: Services, { id }: Issuer) {
  const keys = await publishedKeys(services, id);
  return keys
    .filter((key) => !("revoked_at" in key))
    .map(({ kty, crv, x, y, alg, use, kid }) => ({ kty, crv, x, y, alg, use, kid }));
}
