import { insertAccessEntry } from "../audit/access-trail.ts";
import { signInByLink, signInLink } from "../contract/sessions.ts";
import {
  beginSingleSignOn,
  endSingleSignOn,
  getIdentityProvider,
  removeIdentityProvider,
  setIdentityProvider,
  signInWays,
  singleSignOut,
} from "../contract/single-sign-on.ts";
import type { On } from "../http/endpoint.ts";
import { unauthorized } from "../http/errors.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import { takeSignInLink, userOfLink } from "../sessions/sign-in-links.ts";
import { consumeToken, openSession } from "../sessions/tokens.ts";
import { createSignInRecord, ownAccess } from "../sessions/record-sign-in.ts";
import { configure, identityProviderReply, removeConfiguration } from "./change-identity-provider.ts";
import { identityProviderAt } from "./configuration.ts";
import { begin, end } from "./sign-in.ts";
import { signOutUrlOf } from "./sign-out.ts";

/** Signing in without a password: at an identity provider, or by the operator's link. */
export function serveSingleSignOn(on: On, services: Services) {
  const { db, now } = services;
  const limits = {
    ways: limitByNetwork(services, "sign_in_ways"),
    begin: limitByNetwork(services, "single_sign_on_begin"),
    end: limitByNetwork(services, "single_sign_on_end"),
    link: limitByNetwork(services, "sign_in_link"),
    tried: limitByKey(services, "identity_providers", "Your company has tried many identity providers"),
  };
  const recordSignIn = createSignInRecord(services);

  on(signInWays, async ({ query: { address }, networks }) => {
    // Guesses are counted, the sign-in page is not.
    if (address) await limits.ways.count(networks);
    return { passwords: !services.singleSignOn?.passwordsOff, ...(await identityProviderAt(services, address)) };
  });

  on(beginSingleSignOn, async ({ body, networks }) => {
    await limits.begin.count(networks);
    return begin(services, body.address);
  });

  on(endSingleSignOn, async ({ body, networks, browser, origin }) => {
    await limits.end.count(networks);
    const { user, token, signOutUrl } = await end(services, { ...body, browser });
    const session = await recordSignIn(user, token, { browser, origin });
    return { ...session, sign_out_origin: signOutUrl && new URL(signOutUrl).origin };
  });

  on(singleSignOut, async ({ actor, token, origin }) => {
    const url = (await signOutUrlOf(services, token!)) ?? null;
    if (!(await consumeToken(db, token!))) throw unauthorized();
    await insertAccessEntry(db, { ...ownAccess(actor), action: "signed out", ...origin }, now());
    return { url };
  });

  on(signInLink, async ({ token, networks }) => {
    await limits.link.count(networks);
    const { name, email } = await userOfLink(db, token, now());
    return { name, email };
  });

  on(signInByLink, async ({ token, networks, browser, origin }) => {
    await limits.link.count(networks);
    const user = await takeSignInLink(db, token, now());
    const session = await openSession(db, user.id, browser, { now: now(), hasSecondFactor: true });
    return recordSignIn(user, session, { browser, origin });
  });

  on(getIdentityProvider, ({ actor }) => identityProviderReply(services, actor.company_id));

  on(setIdentityProvider, async ({ body, caller }) => {
    await limits.tried.count(String(caller.company_id));
    await configure(services, caller, body);
    return identityProviderReply(services, caller.company_id);
  });

  on(removeIdentityProvider, ({ caller }) => removeConfiguration(services, caller));
}
