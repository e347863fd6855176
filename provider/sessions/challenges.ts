import type { Db } from "../db/tables.ts";
import { type Browser, browserHash } from "./browsers.ts";
import { insertToken, lifetimesMs, tokenHash } from "./tokens.ts";

/** Challenges that passkeys sign. */

type Challenged = { userId: number; browser: Browser | undefined; now: Date };

const challengedBrowser = ({ userId, browser }: Challenged) => (browser ? browserHash(userId, browser) : null);

/** The challenge that a passkey of this browser is to sign, in base64url, for a signed-in user. */
export const issueChallenge = (db: Db, about: Challenged): Promise<string> => {
  const browser_hash = challengedBrowser(about);
  return insertToken(db, { kind: "passkey", user_id: about.userId, browser: "", browser_hash }, about.now);
};

/** Whether a challenge was issued to this browser; deletes it, so that it counts once. */
export async function takeChallenge(db: Db, challenge: string, about: Challenged): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("tokens")
    .where("hash", "=", tokenHash(challenge))
    .where("kind", "=", "passkey")
    .where("expires_at", ">", about.now.toISOString())
    .where("user_id", "=", about.userId)
    .where("browser_hash", about.browser ? "=" : "is", challengedBrowser(about))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Notes that a user's passkey has signed the challenge of a sign-in; false if it had been noted before. */
export async function spendChallenge(db: Db, challenge: string, userId: number, now: Date): Promise<boolean> {
  const [at, hash] = [now.toISOString(), tokenHash(challenge)];
  const expires_at = new Date(now.getTime() + lifetimesMs.passkey).toISOString();
  const times = { created_at: at, used_at: at, expires_at };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("tokens")
    // Of no browser, so that it is no challenge of the user's own session.
    .values({ hash, kind: "passkey", user_id: userId, browser: "", browser_hash: "spent", ...times })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
