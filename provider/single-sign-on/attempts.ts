import { createHmac, randomBytes } from "node:crypto";
import { minutesInMs } from "#lib/units.ts";
import type { Db } from "../db/tables.ts";
import { tokenHash } from "../sessions/tokens.ts";

/**
 * Sign-ins that a browser has begun at an identity provider. Its cookie has the attempt's secret, from which state, nonce
 * and PKCE verifier are derived; the database has the secret's hash alone, on every machine, and gives it away once.
 */

const lifetimeMs = minutesInMs(10);

/** Stores an attempt and returns its secret. */
export async function beginAttempt(db: Db, configuredBy: number, now: Date): Promise<string> {
  const attempt = randomBytes(32).toString("base64url");
  await removeExpiredAttempts(db, now);
  const expires_at = new Date(now.getTime() + lifetimeMs).toISOString();
  const row = { hash: tokenHash(attempt), configured_by: configuredBy, expires_at };
  await db.insertInto("sign_in_attempts").values(row).execute();
  return attempt;
}

export const removeExpiredAttempts = (db: Db, now: Date) =>
  db.deleteFrom("sign_in_attempts").where("expires_at", "<=", now.toISOString()).execute();

/** Deletes an attempt. Returns whether there was one for this configuration: of two requests at once, one succeeds. */
export async function takeAttempt(db: Db, attempt: string, configuredBy: number, now: Date): Promise<boolean> {
  const row = await db
    .deleteFrom("sign_in_attempts")
    .where("hash", "=", tokenHash(attempt))
    .returning(["configured_by", "expires_at"])
    .executeTakeFirst();
  return row?.configured_by === configuredBy && row.expires_at > now.toISOString();
}

/** Values sent to the identity provider, which it must return or verify. */
export const secretsOf = (attempt: string) => ({
  state: derive(attempt, "state"),
  nonce: derive(attempt, "nonce"),
  verifier: derive(attempt, "verifier"),
});

const derive = (attempt: string, use: string) => createHmac("sha256", attempt).update(use).digest("base64url");
