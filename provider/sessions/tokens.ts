import { hash, randomBytes, randomInt } from "node:crypto";
import type { ExpressionBuilder } from "kysely";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import type { Actor } from "../access.ts";
import { ago } from "../calendar/calendar.ts";
import { type Browser, browserHash } from "./browsers.ts";
import { actorRows, asActor } from "../db/actors.ts";
import { TRUE } from "../db/flags.ts";
import type { Db, Tables, TokenKind } from "../db/tables.ts";

/** How long tokens last (`docs/open-points.md`). Sessions also end after `sessionIdleMs` without use. */
export const lifetimesMs: Record<TokenKind, number> = {
  session: daysInMs(30),
  invitation: daysInMs(7),
  reset: hoursInMs(1),
  first: daysInMs(7),
  email: hoursInMs(24),
  factor: minutesInMs(10),
  passkey: minutesInMs(5),
  "sign-in": hoursInMs(1),
};
const sessionIdleMs = hoursInMs(12);
/** How often the last use of a session is stored: not with every page. */
const touchIntervalMs = minutesInMs(5);

/** The stored hash of a token. */
export const tokenHash = (token: string) => hash("sha256", token, "hex");

/** A new token of no browser. */
export const issueToken = (db: Db, kind: TokenKind, userId: number | null, now: Date): Promise<string> =>
  insertToken(db, { kind, user_id: userId, browser: "" }, now);

type Opening = {
  now: Date;
  /** Whether the user gave two factors: a password and a one-time code, or what counts as both. */
  hasSecondFactor?: boolean;
};

/** Opens a session and returns its token. */
export const openSession = (
  db: Db,
  userId: number,
  browser: Browser | undefined,
  { now, hasSecondFactor = false }: Opening,
): Promise<string> => {
  const second_factor = hasSecondFactor ? 1 : 0;
  return insertToken(db, { kind: "session", user_id: userId, browser: browser?.label ?? "", second_factor }, now);
};

/** A token for the second step of a sign-in, after the right password; only this browser can use it. */
export const issueFactorToken = (db: Db, userId: number, browser: Browser | undefined, now: Date): Promise<string> => {
  const browser_hash = browser ? browserHash(userId, browser) : null;
  return insertToken(db, { kind: "factor", user_id: userId, browser: "", browser_hash }, now);
};

/** The user whose second step of a sign-in a token is for; undefined if it ended or belongs to another browser. */
export async function findFactorToken(db: Db, token: string, browser: Browser | undefined, now: Date) {
  const row = await db
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .innerJoin("companies", "companies.id", "users.company_id")
    .where("hash", "=", tokenHash(token))
    .where("kind", "=", "factor")
    .where("expires_at", ">", now.toISOString())
    .where("users.active", "=", TRUE)
    .where("companies.active", "=", TRUE)
    .select(["users.id", "users.name", "users.email", "users.company_id", "password_hash", "tokens.browser_hash"])
    .executeTakeFirst();
  const isOwn = row && row.browser_hash === (browser ? browserHash(row.id, browser) : null);
  return isOwn ? row : undefined;
}

type Issued = {
  kind: TokenKind;
  user_id: number | null;
  browser: string;
  second_factor?: number;
  browser_hash?: string | null;
};

/** Stores a new token's hash and returns the token. */
export async function insertToken(db: Db, issued: Issued, now: Date): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const at = now.toISOString();
  const expires_at = new Date(now.getTime() + lifetimesMs[issued.kind]).toISOString();
  await removeExpiredTokens(db, now);
  await db
    .insertInto("tokens")
    .values({
      ...issued,
      hash: tokenHash(token),
      public_id: publicId(issued.kind),
      created_at: at,
      used_at: at,
      expires_at,
    })
    .execute();
  return token;
}

/** A random id for a session, which reveals neither its token nor how many there are. */
const publicId = (kind: TokenKind) => (kind === "session" ? randomInt(1, 2 ** 31 - 1) : null);

/** Deletes expired tokens, and by cascade the messages that carry them. */
export const removeExpiredTokens = (db: Db, now: Date) =>
  db.deleteFrom("tokens").where("expires_at", "<=", now.toISOString()).execute();

type Tokens = ExpressionBuilder<Tables, "tokens">;

/** Whether a session has neither expired nor been idle for too long. */
const isOpenSession = (now: Date) => (eb: Tokens) =>
  eb.and([
    eb("tokens.kind", "=", "session"),
    eb("tokens.expires_at", ">", now.toISOString()),
    eb("tokens.used_at", ">", ago(now, sessionIdleMs)),
  ]);

const isValidSession = (hash: string, now: Date) => (eb: Tokens) =>
  eb.and([eb("tokens.hash", "=", hash), isOpenSession(now)(eb)]);

const sessionRow = (db: Db, hash: string, now: Date) =>
  actorRows(db)
    .innerJoin("tokens", "tokens.user_id", "users.id")
    .where(isValidSession(hash, now))
    .select(["tokens.used_at", "tokens.second_factor", "access_groups.requires_second_factor"])
    .select((eb) => eb.fn.coalesce("tokens.proved_at", "tokens.created_at").as("proved_at"))
    .executeTakeFirst();

type SessionRow = NonNullable<Awaited<ReturnType<typeof sessionRow>>>;

const asSessionActor = (row: SessionRow): Actor => ({
  ...asActor(row),
  provedAt: row.proved_at,
  lacksSecondFactor: row.requires_second_factor === 1 && row.second_factor === 0,
});

/** The user of a session's token; undefined if the session has ended or the user is inactive. */
export async function actorOf(db: Db, token: string, now: Date): Promise<Actor | undefined> {
  const hash = tokenHash(token);
  const row = await sessionRow(db, hash, now);
  if (!row) return undefined;
  if (now.getTime() - Date.parse(row.used_at) > touchIntervalMs) {
    // Best effort: a failed write, as on a full disk, must not sign anyone out.
    const touched = db.updateTable("tokens").set({ used_at: now.toISOString() }).where("hash", "=", hash).execute();
    await touched.catch(() => {});
  }
  return asSessionActor(row);
}

/** The same within a transaction, by the token's hash. Locks the session, so that it can't end before the commit. */
export async function actorInTransaction(db: Db, hash: string, now: Date): Promise<Actor | undefined> {
  const used = db.updateTable("tokens").set({ used_at: now.toISOString() });
  const { numUpdatedRows } = await used.where(isValidSession(hash, now)).executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  const row = await sessionRow(db, hash, now);
  return row && asSessionActor(row);
}

/** The invitation, reset or first-start link of a token, which stays valid. */
export function findLink(db: Db, token: string, now: Date) {
  return db
    .selectFrom("tokens")
    .leftJoin("users", "users.id", "tokens.user_id")
    .leftJoin("companies", "companies.id", "users.company_id")
    .where("hash", "=", tokenHash(token))
    .where("kind", "in", ["invitation", "reset", "first"])
    .where("expires_at", ">", now.toISOString())
    .where((eb) => eb.or([eb("tokens.user_id", "is", null), eb("users.active", "=", TRUE)]))
    .select(["tokens.kind", "tokens.user_id", "users.name", "users.email", "companies.name as company"])
    .select("users.company_id")
    .executeTakeFirst();
}

/** Deletes a token. Returns false if it was gone: of two requests at once, one succeeds. */
export async function consumeToken(db: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("tokens").where("hash", "=", tokenHash(token)).executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Revokes all of a user's sessions, links and API keys: their holder may no longer be that user. Also where a removed user
 * returns, as a sign-in that the removal overtook may have left a session.
 */
export async function revokeTokens(db: Db, userId: number) {
  await db.deleteFrom("api_keys").where("user_id", "=", userId).execute();
  await db.deleteFrom("tokens").where("user_id", "=", userId).execute();
}

/** Revokes all of a user's sessions and links except the session of `token`. */
export async function revokeOtherTokens(db: Db, userId: number, token: string) {
  await db.deleteFrom("tokens").where("user_id", "=", userId).where("hash", "!=", tokenHash(token)).execute();
}

/** Revokes a user's invitations, reset links and pending change of email; sessions stay. */
export async function revokeLinks(db: Db, userId: number) {
  await db.deleteFrom("tokens").where("user_id", "=", userId).where("kind", "!=", "session").execute();
}

/** Revokes sign-ins of a user that wait for their second step. */
export const revokeFactorTokens = (db: Db, userId: number) =>
  db.deleteFrom("tokens").where("user_id", "=", userId).where("kind", "=", "factor").execute();

const maxListed = 100;

/** A user's open sessions, last used first. */
export const openSessions = (db: Db, userId: number, now: Date) =>
  db
    .selectFrom("tokens")
    .where("user_id", "=", userId)
    .where(isOpenSession(now))
    .select((eb) => [eb.ref("public_id").$notNull().as("id"), "hash", "browser"])
    .select(["created_at as signed_in_at", "used_at as last_used_at"])
    .orderBy("used_at", "desc")
    .orderBy("created_at", "desc")
    .limit(maxListed)
    .execute();

/** Ends a user's session with a public id, or all but the one with a hash. Returns how many ended. */
export async function endSessions(db: Db, userId: number, which: { only: number } | { except: string }) {
  const sessions = db.deleteFrom("tokens").where("user_id", "=", userId).where("kind", "=", "session");
  const ending =
    "only" in which ? sessions.where("public_id", "=", which.only) : sessions.where("hash", "!=", which.except);
  return Number((await ending.executeTakeFirst()).numDeletedRows);
}
