import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isJwtBy, publicKeyOf, readJwt } from "#lib/seal/sd-jwt.ts";
import { minutesInSeconds } from "#lib/units.ts";
import type { Services } from "../services.ts";
import { oauthError } from "./offers.ts";

/** Proofs that a wallet has the key to which its credential is bound (OpenID4VCI 1.0, appendix F.1). */

const validSeconds = minutesInSeconds(5);

type Keys = Pick<Services, "seals" | "now">;

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000);

/** A nonce is its time and a code that only this installation can make: nothing is stored for one who asks for many. */
function nonceOf({ seals }: Keys, seconds: number): string {
  const key = hkdfSync("sha256", seals.wrappingKeys[0]!.key, "", "sealdesk nonces of wallets", 32);
  return `${seconds}.${createHmac("sha256", Buffer.from(key)).update(String(seconds)).digest("base64url")}`;
}

export const newNonce = (services: Keys): string => nonceOf(services, secondsOf(services.now()));

function isNonce(services: Keys, nonce: string): boolean {
  const seconds = Number(/^(\d{1,12})\./.exec(nonce)?.[1] ?? Number.NaN);
  const age = secondsOf(services.now()) - seconds;
  const [given, right] = [Buffer.from(nonce), Buffer.from(nonceOf(services, seconds))];
  return age >= 0 && age < validSeconds && given.length === right.length && timingSafeEqual(given, right);
}

/** The public key of a proof for this issuer. Throws 400. */
export function holderKey(services: Keys, text: string, issuer: string) {
  const proof = readJwt(text);
  const { typ, jwk, kid, x5c } = proof?.header ?? {};
  // Another reader could take the other key.
  const isNamedTwice = kid !== undefined || x5c !== undefined;
  if (!proof || typ !== "openid4vci-proof+jwt" || isNamedTwice || !isJwtBy(jwk, proof)) throw invalidProof();
  const { aud, iat, nonce } = proof.payload;
  const isRecent = typeof iat === "number" && Math.abs(secondsOf(services.now()) - iat) < validSeconds;
  if (aud !== issuer || !isRecent) throw invalidProof();
  if (typeof nonce !== "string" || !isNonce(services, nonce)) {
    throw oauthError("invalid_nonce", "This nonce is not ours, or has expired: ask for another one");
  }
  // As we write it: a text of the wallet's would be signed beside it.
  return publicKeyOf(jwk).export({ format: "jwk" });
}

export const invalidProof = () => oauthError("invalid_proof", "This is no proof of a key of yours for this issuer");
