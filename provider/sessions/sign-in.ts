import { foldEmail } from "#lib/text.ts";
import type { QueueOptions } from "#lib/storage/limits/work-queue.ts";
import type { Networks } from "#lib/storage/limits/networks.ts";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import { type Browser, browserHash, isKnownBrowser } from "./browsers.ts";
import { isRightPassword } from "../passwords/passwords.ts";
import { originOf, visitor } from "../audit/access-trail.ts";
import type { AccessAction } from "../contract/audit.ts";
import { TRUE } from "../db/flags.ts";
import { usersWithEmail } from "../users/ownership.ts";
import { HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { createSlowDown } from "./slow-down.ts";

/**
 * Sign-in by email and password. Attempts are limited by network, and by account within a network. Over all networks an
 * account's attempts are only delayed, so that unauthenticated clients can't lock its user out. A known browser has its
 * own limit.
 */

type Attempt = {
  email: string;
  password: string;
  networks: Networks;
  browser: Browser | undefined;
  request: Request;
  /** Called when the attempt is delayed. */
  onWait(): void;
};

/** An attempt within the limits, to be uncounted if no password was checked and reset if it was right. */
type RateLimitPass = { refund(): Promise<void>; reset(): Promise<void> };

/** How many companies' users with one address a password is compared with. */
const maxTried = 3;

type User = { id: number; name: string; company_id: number };

/** Returns the check. It resolves with the user; it rejects with 422, 429 or, when queues are full, 503. */
export function createSignIn(services: Services) {
  const { db } = services;
  const limits = {
    byNetwork: limitByNetwork(services, "login_address"),
    byAccount: limitByNetwork(services, "login_account"),
    byBrowser: limitByKey(services, "login_browser"),
  };
  const slowDown = createSlowDown(services);

  const usersWith = (email: string) =>
    usersWithEmail(db, email)
      .innerJoin("companies", "companies.id", "users.company_id")
      .where("companies.active", "=", TRUE)
      .select(["users.id", "users.name", "users.company_id", "password_hash"])
      .limit(maxTried)
      .execute();

  async function knownUser<T extends User>(users: T[], browser: Browser | undefined) {
    const isKnown = await Promise.all(users.map(({ id }) => isKnownBrowser(db, id, browser)));
    return users.find((_, n) => isKnown[n]);
  }

  /** Records an attempt in the audit trail: one row for each account, network and day. */
  function record(action: AccessAction, user: User | undefined, { networks, browser }: Attempt) {
    if (!user) return;
    const { id, name, company_id } = user;
    const origin = originOf(networks, browser);
    const subject = { entity: "user", id, name } as const;
    const entry = { company_id, actor: visitor, action, subject, userId: id, within: origin.network };
    services.access.record({ ...entry, ...origin });
  }

  async function admitKnownBrowser(account: string, userId: number, browser: Browser): Promise<RateLimitPass> {
    const key = `${account} ${browserHash(userId, browser)}`;
    await limits.byBrowser.count(key);
    return { refund: () => limits.byBrowser.refund(key), reset: () => limits.byBrowser.reset(key) };
  }

  async function admitUnknownBrowser(account: string, { networks, request, onWait }: Attempt): Promise<RateLimitPass> {
    await limits.byAccount.count(networks, account);
    const refund = async () => {
      await limits.byAccount.refund(networks, account);
      await slowDown.refund(account);
    };
    await slowDown.delay(account, { signal: request.signal, onWait }).catch(async (error: unknown) => {
      await refund();
      throw error;
    });
    return {
      refund,
      async reset() {
        await limits.byAccount.reset(networks, account);
        await limits.byNetwork.refund(networks);
        await slowDown.refund(account);
      },
    };
  }

  return async function signIn(attempt: Attempt): Promise<User> {
    const { password, networks, browser, request } = attempt;
    const email = foldEmail(attempt.email);
    // Unauthenticated clients cause no query before their network is counted.
    const returning = browser ? await usersWith(email) : [];
    const returningUser = await knownUser(returning, browser);
    if (!returningUser) await limits.byNetwork.count(networks);
    const users = browser ? returning : await usersWith(email);
    const user = returningUser ?? users[0];
    // A new password resets the account's counts.
    const account = `${email} ${users.map(({ password_hash }) => password_hash).join(" ")}`;
    const onWait = () => {
      record("sign-ins slowed down", user, attempt);
      attempt.onWait();
    };
    const admission = returningUser
      ? admitKnownBrowser(account, returningUser.id, browser!)
      : admitUnknownBrowser(account, { ...attempt, onWait });
    const pass = await admission.catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 429) record("sign-ins limited", user, attempt);
      throw error;
    });
    // Unknown addresses are hashed as well, so that the time reveals no account.
    const turn = { isFirst: returningUser !== undefined, signal: request.signal };
    const signedIn = await firstWith(password, users, turn).catch(async (error: unknown) => {
      await pass.refund();
      throw error;
    });
    if (!signedIn) {
      record("sign-in failed", user, attempt);
      throw new HttpError(422, "The email or password is not right. Check both and try again.");
    }
    await pass.reset();
    const { id, name, company_id } = signedIn;
    return { id, name, company_id };
  };
}

/** The first of the users whose password it is; undefined for none, which takes as long as for one. */
async function firstWith<T extends { password_hash: string | null }>(password: string, users: T[], turn: QueueOptions) {
  if (users.length === 0) await isRightPassword(undefined, password, turn);
  for (const user of users) if (await isRightPassword(user.password_hash, password, turn)) return user;
  return undefined;
}
