import { fold } from "#storage/text.ts";
import type { Networks } from "#storage/networks.ts";
import { minutesInSeconds } from "#units";
import { limitByKey, limitByNetwork } from "../http/rate-limits.ts";
import { type Browser, browserHash, isKnownBrowser } from "./browsers.ts";
import { isRightPassword } from "../passwords/passwords.ts";
import { originOf, visitor } from "../audit/access-trail.ts";
import type { AccessAction } from "../contract/audit.ts";
import { HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { createSlowDown } from "./slow-down.ts";

/**
 * Checking an email and a password. Attempts are limited by network, and by account within a network; of an account as
 * a whole they are only slowed down, so that strangers can't lock its user out. A browser that signed in to the account
 * before has a limit of its own, and neither waits nor is refused for what others do.
 */

type Attempt = {
  email: string;
  password: string;
  networks: Networks;
  browser: Browser | undefined;
  request: Request;
  /** Hears that it is delayed. */
  onWait(): void;
};

/** How an attempt passed the limits, and what is to be done about them after it. */
type RateLimitPass = { giveBack(): Promise<void>; forget(): Promise<void> };

type User = { id: number; name: string; company_id: number };

/** Returns the check: it resolves with the user, and rejects with 422, 429 or, while too many are at it, 503. */
export function createSignIn(services: Services) {
  const { db } = services;
  const limits = {
    byNetwork: limitByNetwork(services, ["login_address", 100, minutesInSeconds(15)]),
    byAccount: limitByNetwork(services, ["login_account", 10, minutesInSeconds(15)]),
    byBrowser: limitByKey(services, ["login_browser", 10, minutesInSeconds(15)]),
  };
  const slowDown = createSlowDown(services);

  const userWith = (email: string) =>
    db
      .selectFrom("users")
      .innerJoin("companies", "companies.id", "users.company_id")
      .where("email_key", "=", email)
      .where("users.active", "=", 1)
      .where("companies.active", "=", 1)
      .select(["users.id", "users.name", "users.company_id", "password_hash"])
      .executeTakeFirst();

  /** Notes what strangers may cause: one row for an account, a network and a day. Of addresses without account, nothing. */
  function record(action: AccessAction, user: User | undefined, { networks, browser }: Attempt) {
    if (!user) return;
    const { id, name, company_id } = user;
    const origin = originOf(networks, browser);
    const subject = { entity: "user", id, name } as const;
    const entry = { company_id, actor: visitor, action, subject, about: id, within: origin.network };
    services.access.record({ ...entry, ...origin });
  }

  async function admitKnownBrowser(account: string, userId: number, browser: Browser): Promise<RateLimitPass> {
    const key = `${account} ${browserHash(userId, browser)}`;
    await limits.byBrowser.count(key);
    return { giveBack: () => limits.byBrowser.giveBack(key), forget: () => limits.byBrowser.forget(key) };
  }

  async function admitUnknownBrowser(account: string, { networks, request, onWait }: Attempt): Promise<RateLimitPass> {
    await limits.byAccount.count(networks, account);
    const giveBack = async () => {
      await limits.byAccount.giveBack(networks, account);
      await slowDown.giveBack(account);
    };
    await slowDown.pass(account, { signal: request.signal, onWait }).catch(async (error: unknown) => {
      await giveBack();
      throw error;
    });
    return {
      giveBack,
      async forget() {
        await limits.byAccount.forget(networks, account);
        await limits.byNetwork.giveBack(networks);
        await slowDown.giveBack(account);
      },
    };
  }

  return async function signIn(attempt: Attempt): Promise<User> {
    const { password, networks, browser, request } = attempt;
    const email = fold(attempt.email);
    // Without the cookie of an earlier sign-in nothing is looked up before the network is counted.
    const returning = browser && (await userWith(email));
    const isKnown = await isKnownBrowser(db, returning?.id, browser);
    if (!isKnown) await limits.byNetwork.count(networks);
    const user = browser ? returning : await userWith(email);
    // With another password an account's counts begin anew.
    const account = `${email} ${user?.password_hash ?? ""}`;
    const onWait = () => {
      record("sign-ins slowed down", user, attempt);
      attempt.onWait();
    };
    const passing = isKnown
      ? admitKnownBrowser(account, user!.id, browser!)
      : admitUnknownBrowser(account, { ...attempt, onWait });
    const passage = await passing.catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 429) record("sign-ins limited", user, attempt);
      throw error;
    });
    // Hashed for unknown addresses as well: the answer and its time are the same.
    const turn = { isFirst: isKnown, signal: request.signal };
    const isRight = await isRightPassword(user?.password_hash, password, turn).catch(async (error: unknown) => {
      // What was not tried does not count.
      await passage.giveBack();
      throw error;
    });
    if (!user || !isRight) {
      record("sign-in failed", user, attempt);
      throw new HttpError(422, "The email or password is not right. Check both and try again.");
    }
    await passage.forget();
    return { id: user.id, name: user.name, company_id: user.company_id };
  };
}
