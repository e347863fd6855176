import { Openid4vciClient, setGlobalConfig } from "@openid4vc/openid4vci";
import { OpenID4VCIClientV1_0_15 } from "@sphereon/oid4vci-client";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";

import type { FormClient } from "./form-client.ts";

/** Wallets by libraries of others: each fetches the credential of an offer, with a key of its own. */

// The tests' server has no certificate.
setGlobalConfig({ allowInsecureUrls: true });

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const sign = (header: JWTHeaderParameters, payload: JWTPayload) =>
    new SignJWT(payload).setProtectedHeader(header).sign(privateKey);
  return { jwk: await exportJWK(publicKey), sign };
}

async function openid4vc(uri: string): Promise<string> {
  const { jwk, sign } = await newKey();
  const unused = () => {
    throw new Error("Not for this offer");
  };
  const client = new Openid4vciClient({
    callbacks: {
      fetch,
      hash: unused,
      generateRandom: unused,
      // Anonymous.
      clientAuthentication: () => undefined,
      signJwt: async (_, { header, payload }) => ({
        jwt: await sign(header as JWTHeaderParameters, payload),
        signerJwk: jwk as never,
      }),
    },
  });
  const credentialOffer = await client.resolveCredentialOffer(uri);
  const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer);
  const [credentialConfigurationId] = credentialOffer.credential_configuration_ids as [string];
  const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
    credentialOffer,
    issuerMetadata,
  });
  const { c_nonce: nonce } = await client.requestNonce({ issuerMetadata });
  const { jwt } = await client.createCredentialRequestJwtProof({
    issuerMetadata,
    credentialConfigurationId,
    nonce,
    signer: { method: "jwk", alg: "ES256", publicJwk: jwk as never },
  });
  const { credentialResponse } = await client.retrieveCredentials({
    issuerMetadata,
    credentialConfigurationId,
    accessToken: accessTokenResponse.access_token,
    proofs: { jwt: [jwt] },
  });
  return (credentialResponse.credentials as { credential: string }[])[0]!.credential;
}

async function sphereon(uri: string): Promise<string> {
  const { jwk, sign } = await newKey();
  const client = await OpenID4VCIClientV1_0_15.fromURI({ uri, alg: "ES256" });
  await client.acquireAccessToken();
  const { credentials } = await client.acquireCredentials({
    credentialConfigurationId: "document",
    jwk: jwk as never,
    alg: "ES256",
    proofCallbacks: {
      signCallback: ({ header, payload }) => sign(header as JWTHeaderParameters, payload as JWTPayload),
    },
    format: "dc+sd-jwt",
  });
  return (credentials as { credential: string }[])[0]!.credential;
}

/** The credential of a document that staff offered. */
export async function credentialOf(client: FormClient, path: string, wallet = openid4vc): Promise<string> {
  const page = await (await client.post(`${path}/wallet`, {})).text();
  return wallet(offerIn(page));
}

export const offerIn = (page: string) =>
  /href="(openid-credential-offer:[^"]+)"/.exec(page)![1]!.replaceAll("&amp;", "&");

export const foreignWallets = { "@openid4vc/openid4vci": openid4vc, "@sphereon/oid4vci-client": sphereon };
