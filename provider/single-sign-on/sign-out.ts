import type { Db } from "../db/tables.ts";
import { decryptSecret, encryptSecret } from "../secrets.ts";
import type { Services } from "../services.ts";
import { tokenHash } from "../sessions/tokens.ts";
import type { Configuration } from "./configuration.ts";

/** Signing out at the identity provider as well (OpenID Connect RP-Initiated Logout). */

const purpose = "ID token of a session";

type SignedIn = { configuration: Configuration; signOutUrl: string; idToken: string };

/** Stores what signing out will need, with the session. */
export async function noteIdentitySession(services: Services, token: string, signedIn: SignedIn) {
  const { configuration, signOutUrl, idToken } = signedIn;
  await services.db
    .insertInto("identity_sessions")
    .values({
      token_hash: tokenHash(token),
      configured_by: configuration.configuredBy,
      issuer: configuration.issuer,
      client_id: configuration.clientId,
      sign_out_url: signOutUrl,
      id_token: encryptSecret(services, purpose, idToken),
    })
    .execute();
}

/** The sign-out address at the session's identity provider; undefined if the session has none. */
export async function signOutUrlOf(services: Services, token: string): Promise<string | undefined> {
  const session = await identitySession(services.db, tokenHash(token));
  if (!session?.sign_out_url) return undefined;
  const url = new URL(session.sign_out_url);
  url.searchParams.set("client_id", session.client_id);
  url.searchParams.set("post_logout_redirect_uri", afterSignOut(services.publicUrl));
  const hint = idTokenOf(services, session.id_token);
  if (hint) url.searchParams.set("id_token_hint", hint);
  return url.href;
}

export const afterSignOut = (publicUrl: string) => `${publicUrl}/login`;

export const identitySession = (db: Db, token_hash: string) =>
  db.selectFrom("identity_sessions").where("token_hash", "=", token_hash).selectAll().executeTakeFirst();

/** Without it the identity provider asks first. */
function idTokenOf(services: Services, stored: string) {
  try {
    return decryptSecret(services, purpose, stored);
  } catch {
    return undefined;
  }
}
