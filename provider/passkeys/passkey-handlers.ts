import {
  addPasskey,
  listPasskeys,
  passkeyOptions,
  proofOptions,
  proveByPasskey,
  removePasskey,
  signInByPasskey,
  signInOptions,
} from "../contract/passkeys.ts";
import type { On } from "../http/endpoint.ts";
import {
  addPasskey as storePasskey,
  passkeyReplies,
  registrationOptions,
  removePasskey as remove,
} from "./passkeys.ts";
import { requireParty } from "./relying-party.ts";
import { createPasskeySignIn } from "./sign-in.ts";
import type { Services } from "../services.ts";
import { createSignInRecord } from "../sessions/record-sign-in.ts";

/** Users' passkeys, and what they are for: signing in, and proving to be present. */

export function servePasskeys(on: On, services: Services) {
  const { db, publicUrl } = services;
  const passkeys = createPasskeySignIn(services);
  const recordSignIn = createSignInRecord(services);

  on(signInOptions, async (from) => passkeys.options(from));

  on(signInByPasskey, async ({ body, networks, browser, origin }) => {
    const { user, token } = await passkeys.signIn(body.response, { networks, browser });
    return recordSignIn(user, token, { browser, origin });
  });

  on(listPasskeys, async ({ actor }) => {
    requireParty(publicUrl);
    return passkeyReplies(db, actor.id);
  });

  on(passkeyOptions, async ({ caller, browser }) => registrationOptions(services, caller, browser));
  on(addPasskey, async ({ caller, browser, body: input }) => storePasskey(services, { caller, browser, input }));
  on(removePasskey, async ({ caller, params }) => remove(services, caller, params.id));
  on(proofOptions, async (by) => passkeys.proofOptions(by));
  on(proveByPasskey, async ({ body, ...by }) => passkeys.prove(body.response, by));
}
