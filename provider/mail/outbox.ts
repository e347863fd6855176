import { randomUUID } from "node:crypto";
import type { ExpressionBuilder } from "kysely";
import { metrics } from "#lib/metrics.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { removeExpiredTokens, tokenHash } from "../sessions/tokens.ts";
import { sendTimeoutMs, type Message, DeliveryError } from "./mail.ts";

/**
 * The outbox (transactional outbox pattern): a message is inserted in the transaction that causes it and deleted once it
 * is sent. If the process dies between the two, it is sent again under the same Message-ID.
 */

type MessageInfo = { userId: number; token?: string; kind?: MessageKind };

/** Kinds of message that a user has pending once at most. */
export type MessageKind =
  | "invitation"
  | "reset"
  | "alerts"
  | "email"
  | "email asked"
  | "email changed"
  | "password changed"
  | "new browser"
  | "second factor"
  | "recovery code"
  | "passkey"
  | "access ended";

/**
 * Puts a message to a user into the outbox. `db` is the transaction that causes it, after which `nudgeMail` sends it at
 * once. It replaces the pending message of its `kind`, and is dropped when the `token` in its link ends.
 */
export async function enqueueMessage(
  { now, publicUrl }: Services,
  db: Db,
  message: Message,
  { userId, token, kind }: MessageInfo,
) {
  const { to, subject, text } = message;
  const at = now().toISOString();
  if (kind) await dropPending(db, userId, kind, at);
  const message_id = `${randomUUID()}@${new URL(publicUrl).hostname}`;
  const times = { created_at: at, next_at: at, attempts: 0 };
  const row = { user_id: userId, recipient: to, subject, text, message_id, ...times };
  await db
    .insertInto("outbox")
    .values({ ...row, kind: kind ?? null, token_hash: token ? tokenHash(token) : null })
    .execute();
}

/** A user's messages of a kind that are neither given up nor being sent. */
const pending = (userId: number, kind: MessageKind, at: string) => (eb: ExpressionBuilder<Tables, "outbox">) =>
  eb.and([
    eb("user_id", "=", userId),
    eb("kind", "=", kind),
    eb("given_up_at", "is", null),
    eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<=", at)]),
  ]);

/** Whether a user has a pending message of a kind. */
export async function isPending({ db, now }: Services, userId: number, kind: MessageKind): Promise<boolean> {
  const messages = db
    .selectFrom("outbox")
    .where(pending(userId, kind, now().toISOString()))
    .select("id");
  return (await messages.executeTakeFirst()) !== undefined;
}

/** Whether a message waits because of the mail server, and not of its own recipient. */
export async function isMailFailing({ db }: Pick<Services, "db">): Promise<boolean> {
  const waiting = db.selectFrom("outbox").where("attempts", ">", 0).where("is_deferred", "=", 0);
  return (await waiting.where("given_up_at", "is", null).select("id").limit(1).executeTakeFirst()) !== undefined;
}

async function dropPending(db: Db, userId: number, kind: MessageKind, at: string) {
  const replaced = db
    .deleteFrom("outbox")
    .where(pending(userId, kind, at))
    .returning("token_hash");
  const hashes = (await replaced.execute()).map(({ token_hash }) => token_hash).filter((hash) => hash !== null);
  if (hashes.length > 0) await db.deleteFrom("tokens").where("hash", "in", hashes).execute();
}

const batchSize = 50;

/** After which a message that could not be sent is dropped. */
export const givenUpAfterMs = daysInMs(2);

/** Sends due messages, oldest first, until none is left or the mail server is unreachable. */
export async function sendDue(services: Services, signal: AbortSignal) {
  await removeObsolete(services);
  for (let due = await dueIds(services); due.length > 0; due = await dueIds(services)) {
    for (const id of due) {
      if (signal.aborted) return;
      const message = await claim(services, id);
      if (message && !(await send(services, message))) return;
    }
  }
}

/** Deletes messages with expired links and messages to removed users. */
async function removeObsolete({ db, now }: Services) {
  await removeExpiredTokens(db, now());
  await db
    .deleteFrom("outbox")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("users").whereRef("users.id", "=", "outbox.user_id").where("active", "=", 0).select("users.id"),
      ),
    )
    .execute();
}

async function dueIds({ db, now }: Services) {
  const due = db.selectFrom("outbox").where(isDue(now().toISOString())).select("id");
  const rows = await due.orderBy("next_at").orderBy("id").limit(batchSize).execute();
  return rows.map(({ id }) => id);
}

/** Whether a message is due and not being sent. */
const isDue = (at: string) => (eb: ExpressionBuilder<Tables, "outbox">) =>
  eb.and([
    eb("given_up_at", "is", null),
    eb("next_at", "<=", at),
    eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<=", at)]),
  ]);

type ClaimedMessage = Awaited<ReturnType<typeof claim>> & object;

/** Claims a message for this process, for longer than sending may take; undefined if another did. */
const claim = ({ db, now }: Services, id: number) =>
  db
    .updateTable("outbox")
    .set({ claimed_until: new Date(now().getTime() + 2 * sendTimeoutMs).toISOString() })
    .where("id", "=", id)
    .where(isDue(now().toISOString()))
    .returningAll()
    .executeTakeFirst();

/** Sends a message and stores the outcome. Returns false if the others would fail as well. */
async function send({ db, mail, now, log }: Services, row: ClaimedMessage): Promise<boolean> {
  const { id, recipient: to, subject, text, message_id, user_id: user } = row;
  const ofRow = db.updateTable("outbox").where("id", "=", id);
  try {
    await mail.send({ to, subject, text, id: message_id, date: new Date(row.created_at) });
  } catch (err) {
    metrics.mails.inc({ outcome: "failed" });
    const { isOfMessage, isPermanent } =
      err instanceof DeliveryError ? err : { isOfMessage: false, isPermanent: false };
    const attempts = row.attempts + 1;
    const next = now().getTime() + retryDelayMs(attempts);
    if (isPermanent || next > Date.parse(row.created_at) + givenUpAfterMs) {
      log.error({ err, user, attempts }, "message dropped");
      await ofRow.set({ attempts, text: "", given_up_at: now().toISOString(), claimed_until: null }).execute();
    } else {
      const next_at = new Date(next).toISOString();
      log.error({ err, user, attempts, next_at }, "message not sent, retrying");
      await ofRow.set({ attempts, is_deferred: isOfMessage ? 1 : 0, next_at, claimed_until: null }).execute();
    }
    return isOfMessage;
  }
  metrics.mails.inc({ outcome: "sent" });
  await db.deleteFrom("outbox").where("id", "=", id).execute();
  return true;
}

const retryDelaysMs = [minutesInMs(1), minutesInMs(5), minutesInMs(15), hoursInMs(1), hoursInMs(3)];

/** The delay after a number of attempts, with a jitter of a fifth. */
export const retryDelayMs = (attempts: number) =>
  (retryDelaysMs[attempts - 1] ?? hoursInMs(6)) * (0.8 + Math.random() * 0.4);

/** Releases the claims of a process that died. Only for a database that no other process uses. */
export const releaseClaims = (db: Db) => db.updateTable("outbox").set({ claimed_until: null }).execute();

const givenUpRetentionMs = daysInMs(30);

export async function deleteGivenUp({ db, now }: Services) {
  const before = ago(now(), givenUpRetentionMs);
  await db.deleteFrom("outbox").where("given_up_at", "<", before).execute();
}

/** Whether a user's invitation could not be delivered. */
export async function isUndelivered(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("outbox")
    .innerJoin("tokens", "tokens.hash", "outbox.token_hash")
    .where("outbox.user_id", "=", userId)
    .where("tokens.kind", "=", "invitation")
    .where("given_up_at", "is not", null)
    .select("outbox.id")
    .executeTakeFirst();
  return row !== undefined;
}
