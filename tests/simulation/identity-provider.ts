import { generateKeyPairSync, hash, sign } from "node:crypto";

/** The identity providers of the companies: they vouch for people, and answer the provider over the world's HTTP. */

export type Claims = { sub: string; email: string; email_verified: boolean; name: string; groups: string[] };
export const isIdentityProvider = (url: string) => new URL(url).hostname.startsWith("id.");
export const client = { client_id: "sealdesk", client_secret: "a secret of the client", groups_claim: "groups" };

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

export function createIdentityProviders() {
  const codes = new Map<string, { claims: Claims; nonce: string | null }>();

  function idToken(issuer: string, code: string | null) {
    const { claims, nonce } = codes.get(code ?? "")!;
    codes.delete(code!);
    const iat = Math.floor(Date.now() / 1000);
    const times = { iss: issuer, aud: client.client_id, iat, exp: iat + 300 };
    const content = `${encoded({ alg: "RS256", kid: "one" })}.${encoded({ ...claims, ...times, nonce })}`;
    return `${content}.${sign("sha256", Buffer.from(content), privateKey).toString("base64url")}`;
  }

  return {
    /** Lets a person in whom a browser was sent here for; returns the query with which it goes back. */
    authorize(address: string, claims: Claims): string {
      const { searchParams: asked, origin } = new URL(address);
      const code = hash("sha256", address, "base64url");
      codes.set(code, { claims, nonce: asked.get("nonce") });
      return String(new URLSearchParams({ code, state: asked.get("state")!, iss: origin }));
    },

    answer(url: string, body: string): { status: number; json: object } {
      const { origin: issuer, pathname } = new URL(url);
      const at = (path: string) => `${issuer}${path}`;
      if (pathname === "/jwks")
        return { status: 200, json: { keys: [{ ...publicKey.export({ format: "jwk" }), alg: "RS256", kid: "one" }] } };
      if (pathname === "/token") {
        const code = new URLSearchParams(body).get("code");
        if (!codes.has(code ?? "")) return { status: 400, json: { error: "invalid_grant" } };
        const token = { access_token: "access", token_type: "Bearer", expires_in: 60 };
        return { status: 200, json: { ...token, id_token: idToken(issuer, code) } };
      }
      const json = {
        issuer,
        authorization_endpoint: at("/authorize"),
        token_endpoint: at("/token"),
        jwks_uri: at("/jwks"),
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        token_endpoint_auth_methods_supported: ["client_secret_post"],
        authorization_response_iss_parameter_supported: true,
      };
      return { status: 200, json };
    },
  };
}
