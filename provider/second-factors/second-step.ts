import type { Networks } from "#lib/storage/limits/networks.ts";
import { originOf } from "../audit/access-trail.ts";
import { HttpError, invalid } from "../http/errors.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import type { Services } from "../services.ts";
import type { Browser } from "../sessions/browsers.ts";
import { consumeToken, findFactorToken, openSession } from "../sessions/tokens.ts";
import { consumeFactor, wrongCode } from "./check.ts";

/**
 * The second step of a sign-in. Only those who know the password reach it, so that strangers can't lock a user out by its
 * limits; a new password resets these.
 */

type Attempt = { token: string | undefined; code: string; networks: Networks; browser: Browser | undefined };

const ended = () => new HttpError(401, "The sign-in took too long or was finished before. Sign in again.");

/** Returns the check, which resolves with the user and a session's token; it rejects with 401, 422 or 429. */
export function createSecondStep(services: Services) {
  const { db, now } = services;
  const byNetwork = limitByNetwork(services, "second_factor");
  const byUser = limitByKey(services, "second_factor_user");

  return async function confirm({ token, code, networks, browser }: Attempt) {
    const user = token ? await findFactorToken(db, token, browser, now()) : undefined;
    if (!user) throw ended();
    const { id, name, company_id } = user;
    const account = `${id} ${user.password_hash}`;
    await byNetwork.count(networks, account);
    await byUser.count(account);
    const opened = await db.transaction().execute(async (transaction) => {
      const used = await consumeFactor(services, transaction, user, code);
      if (!used) return undefined;
      // Of two codes that are sent at once, one opens a session.
      if (!(await consumeToken(transaction, token!))) throw ended();
      const session = await openSession(transaction, id, browser, { now: now(), hasSecondFactor: true });
      return { user: { id, name, company_id }, token: session, used };
    });
    if (!opened) {
      const origin = originOf(networks, browser);
      const subject = { entity: "user", id, name } as const;
      const entry = { company_id, actor: { id, name }, subject, userId: id, within: origin.network };
      services.access.record({ ...entry, action: "second factor failed", ...origin });
      throw invalid({ code: wrongCode(code) });
    }
    await byNetwork.reset(networks, account);
    await byUser.reset(account);
    services.nudgeMail();
    return opened;
  };
}
