import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from "openid-client";
import { HttpError, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import type { Browser } from "../sessions/browsers.ts";
import { openSession } from "../sessions/tokens.ts";
import { signInAs } from "./accounts.ts";
import { beginAttempt, secretsOf, takeAttempt } from "./attempts.ts";
import { type Claims, lacksClaims, personOf } from "./claims.ts";
import { type Configuration, findConfiguration, returnAddress } from "./configuration.ts";
import { connectToIssuer, isAddress, IssuerRefused, textsIn } from "./issuers.ts";
import { readingAnswers, refusalOf, SignInRefused, words } from "./refusals.ts";
import { noteIdentitySession } from "./sign-out.ts";

/** Signing in at an identity provider: the browser is sent there, and comes back with an answer. */

/** Runs work about an identity provider; refusals are shown to the user and logged for the operator. */
async function explained<T>({ log }: Services, issuer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refused = error instanceof HttpError ? undefined : refusalOf(error);
    if (!refused) throw error;
    log.warn({ issuer, reason: refused.reason }, refused.event);
    throw refused.refusal;
  }
}

async function requireConfiguration(services: Services, address: string): Promise<Configuration> {
  const configuration = await explained(services, "", () => findConfiguration(services, address));
  if (configuration) return configuration;
  throw address ? invalid({ address: words.unknownAddress }) : new HttpError(422, words.notOffered);
}

/** Begins a sign-in, and returns the address for the browser and the cookie's value. */
export async function begin(services: Services, address: string): Promise<{ url: string; attempt: string }> {
  const { db, now, publicUrl } = services;
  const configuration = await requireConfiguration(services, address);
  return explained(services, configuration.issuer, async () => {
    const { client, metadata } = await readingAnswers(() => connectToIssuer(services, configuration));
    const attempt = await beginAttempt(db, configuration.configuredBy, now());
    const { state, nonce, verifier } = secretsOf(attempt);
    const url = buildAuthorizationUrl(client, {
      redirect_uri: returnAddress(publicUrl, configuration),
      scope: scopeOf(configuration, metadata.scopes_supported),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return { url: url.href, attempt };
  });
}

/** Some identity providers give a claim only for a scope of its name, or for `groups`. */
function scopeOf({ groupsClaim }: Configuration, supported: unknown) {
  const more = groupsClaim ? textsIn(supported).filter((scope) => scope === "groups" || scope === groupsClaim) : [];
  return [...new Set(["openid", "profile", "email", ...more])].join(" ");
}

type Ending = { address: string; attempt: string; answer: string; browser: Browser | undefined };

/** Ends a sign-in with a session, which counts as both factors. */
export async function end(services: Services, { address, attempt, answer, browser }: Ending) {
  const { db, now } = services;
  const configuration = await requireConfiguration(services, address);
  return explained(services, configuration.issuer, async () => {
    if (!(await takeAttempt(db, attempt, configuration.configuredBy, now()))) {
      throw new SignInRefused(words.started, "no such attempt: it has expired, was used, or began in another browser");
    }
    const { person, idToken, signOutUrl } = await readingAnswers(() =>
      redeem(services, { configuration, attempt, answer }),
    );
    const signedIn = await signInAs(services, { configuration, person }, async (transaction, id) => {
      const token = await openSession(transaction, id, browser, { now: now(), hasSecondFactor: true });
      await noteIdentitySession({ ...services, db: transaction }, token, { configuration, idToken, signOutUrl });
      return token;
    });
    return { ...signedIn, signOutUrl };
  });
}

type Redeemed = Pick<Ending, "attempt" | "answer"> & { configuration: Configuration };

/** Who the identity provider says has answered for an attempt. */
async function redeem(services: Services, { configuration, attempt, answer }: Redeemed) {
  const { client, metadata, keepKeys } = await connectToIssuer(services, configuration);
  const { state, nonce, verifier } = secretsOf(attempt);
  const url = new URL(returnAddress(services.publicUrl, configuration));
  url.search = answer;
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  const tokens = await authorizationCodeGrant(client, url, checks);
  keepKeys();
  const claims = tokens.claims() as Claims;
  const needsMore = lacksClaims(claims, configuration.groupsClaim) && isAddress(metadata.userinfo_endpoint);
  const more = needsMore ? await fetchUserInfo(client, tokens.access_token, String(claims["sub"])) : {};
  // Of a claim in both, the signed one counts.
  const person = personOf({ ...more, ...claims }, configuration.groupsClaim);
  if (!person) throw new IssuerRefused("its token has no subject");
  const signOutUrl = metadata.end_session_endpoint;
  return { person, idToken: tokens.id_token ?? "", signOutUrl: isAddress(signOutUrl) ? signOutUrl : "" };
}
