import {
  beginSecondFactor,
  clearUserSecondFactor,
  confirmSecondFactor,
  createRecoveryCodes,
  getSecondFactor,
  prove,
  removeSecondFactor,
} from "../contract/second-factors.ts";
import type { On } from "../http/endpoint.ts";
import { limitByKey } from "../http/rate-limits.ts";
import { countRecoveryCodes } from "./check.ts";
import {
  beginSetup,
  clearFactor,
  confirmSetup,
  isFactorRequired,
  makeRecoveryCodes,
  pendingSetup,
  removeOwnFactor,
} from "./change-second-factor.ts";
import { hasPassword } from "../passwords/has-password.ts";
import { createProof } from "./proof.ts";
import type { Services } from "../services.ts";
import { isProven } from "../sessions/proof.ts";
import { soleSignInAddress } from "../single-sign-on/configuration.ts";

/** Users' own second factors, and clearing those of others. The second step of a sign-in is in `sessions.ts`. */

export function serveSecondFactors(on: On, services: Services) {
  const { db, now } = services;
  const firstCodes = limitByKey(services, "first_one_time_code");
  const proveSession = createProof(services);

  on(getSecondFactor, async ({ actor }) => {
    const factors = db.selectFrom("second_factors").where("user_id", "=", actor.id).where("secret", "is not", null);
    return {
      set_up_at: (await factors.select("set_up_at").executeTakeFirst())?.set_up_at ?? null,
      recovery_codes: await countRecoveryCodes(db, actor.id),
      required: await isFactorRequired(db, actor),
      has_password: await hasPassword(services, actor),
      passwords_off: Boolean(await soleSignInAddress(services, actor.company_id)),
      pending: isProven(actor, now()) ? ((await pendingSetup(services, db, actor)) ?? null) : null,
    };
  });

  on(beginSecondFactor, async ({ caller }) => beginSetup(services, caller));

  on(confirmSecondFactor, async ({ caller, token, body }) => {
    await firstCodes.count(token!);
    return { recovery_codes: await confirmSetup(services, caller, body.code) };
  });

  on(removeSecondFactor, async ({ caller }) => removeOwnFactor(services, caller));
  on(createRecoveryCodes, async ({ caller }) => ({ recovery_codes: await makeRecoveryCodes(services, caller) }));
  on(clearUserSecondFactor, async ({ caller, params }) => clearFactor(services, caller, params.id));
  on(prove, async ({ body, ...by }) => proveSession(by, body));
}
