import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { passkeyHost } from "../contract/passkey-host.ts";
import type { Db } from "../db/tables.ts";
import { HttpError, invalid } from "../http/errors.ts";

/** Passkeys belong to the host of PUBLIC_URL: those of another site or address are refused. */

export type RelyingParty = NonNullable<ReturnType<typeof passkeyHost>>;

/** The relying party; throws 404 if there are no passkeys. */
export function requireParty(publicUrl: string): RelyingParty {
  const party = passkeyHost(publicUrl);
  if (!party) throw new HttpError(404, "Passkeys need https and a host with a name");
  return party;
}

/** 422: the browser's answer is none, or is of no passkey that counts here. */
export const refusedPasskey = () =>
  invalid({ response: "This passkey was not accepted: use it again, or sign in with your password" });

/** A browser's answer; throws 422 if it is none. */
function parsed<Answer extends { id: string }>(text: string): Answer {
  try {
    const answer = JSON.parse(text) as Answer;
    if (typeof answer?.id === "string") return answer;
  } catch {
    // Refused below.
  }
  throw refusedPasskey();
}

/**
 * The package takes memory and a fifth of a second to load, and few servers have users with passkeys. Load it before a
 * transaction that needs it, so that others do not wait for that.
 */
export const webauthn = () => import("@simplewebauthn/server");

/** Loads it at a start if users have passkeys: at the first sign-in it would hold everybody up. */
export async function loadWhereUsed(db: Db) {
  if (await db.selectFrom("passkeys").select("id").limit(1).executeTakeFirst()) await webauthn();
}

type Check = { party: RelyingParty; takeChallenge(challenge: string): Promise<boolean> };

const expected = ({ party, takeChallenge }: Check) => ({
  expectedChallenge: takeChallenge,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  // The device has checked a finger, a face or a PIN: that is the second factor.
  requireUserVerification: true,
});

/** The new credential of a browser's answer. Throws 422. */
export async function readRegistration(text: string, check: Check) {
  const response = parsed<RegistrationResponseJSON>(text);
  if (!(await isUnattested(response).catch(() => false))) throw refusedPasskey();
  const { verifyRegistrationResponse } = await webauthn();
  const result = await verifyRegistrationResponse({ response, ...expected(check) }).catch(() => undefined);
  if (!result?.verified || !result.registrationInfo) throw refusedPasskey();
  return result.registrationInfo.credential;
}

/**
 * Whether an authenticator vouches for itself at most, as requested. Certificates of makers would be checked with lists
 * from any address that they name, and a user's own device can make some.
 */
async function isUnattested({ response }: RegistrationResponseJSON) {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get("fmt");
  return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
}

type StoredKey = { credential_id: string; public_key: string; counter: number };

/** The stored passkey that a browser's answer is signed by, and its new counter. Throws 422. */
export async function readAssertion<Key extends StoredKey>(
  text: string,
  check: Check,
  find: (credentialId: string) => Promise<Key | undefined>,
) {
  const response = parsed<AuthenticationResponseJSON>(text);
  const key = await find(response.id);
  if (!key) throw refusedPasskey();
  const credential = {
    id: key.credential_id,
    publicKey: new Uint8Array(Buffer.from(key.public_key, "base64url")),
    counter: Number(key.counter),
  };
  const { verifyAuthenticationResponse } = await webauthn();
  const result = await verifyAuthenticationResponse({ response, credential, ...expected(check) }).catch(
    () => undefined,
  );
  if (!result?.verified) throw refusedPasskey();
  return { key, counter: result.authenticationInfo.newCounter };
}
