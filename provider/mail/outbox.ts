import { randomUUID } from "node:crypto";
import type { ExpressionBuilder, Kysely } from "kysely";
import { metrics } from "#metrics";
import { daysInMs, hoursInMs, minutesInMs } from "#units";
import type { Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { removeExpiredTokens, tokenHash } from "../sessions/tokens.ts";
import { sendTimeoutMs, type Message, DeliveryError } from "./mail.ts";

/**
 * Messages on their way. Each is written in the transaction of what it is about, so that neither is there without the
 * other, and is removed once it is sent. If a process dies between a mail server's taking a message and our noting so,
 * and only then, the message is sent a second time: under the same Message-ID, by which its receiver can tell.
 */

type Db = Kysely<Tables>;
type MessageInfo = { userId: number; token?: string; kind?: MessageKind };

/** Kinds of which one message at most waits for a user. */
export type MessageKind =
  | "invitation"
  | "reset"
  | "alerts"
  | "email"
  | "email asked"
  | "email changed"
  | "password changed"
  | "new browser";

/**
 * Puts a message to a user into the outbox; `db` is the transaction of what it is about. With the token of the link
 * that it carries it is dropped as soon as that ends. One of a `kind` takes the place of the one that waits, whose link
 * ends. After the transaction `nudgeMail` has it sent at once.
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

/** Of a kind, those for a user that are neither given up nor being sent. */
const pending = (userId: number, kind: MessageKind, at: string) => (eb: ExpressionBuilder<Tables, "outbox">) =>
  eb.and([
    eb("user_id", "=", userId),
    eb("kind", "=", kind),
    eb("given_up_at", "is", null),
    eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<=", at)]),
  ]);

/** Whether a message of a kind waits for a user. */
export async function isPending({ db, now }: Services, userId: number, kind: MessageKind): Promise<boolean> {
  const waiting = db
    .selectFrom("outbox")
    .where(pending(userId, kind, now().toISOString()))
    .select("id");
  return (await waiting.executeTakeFirst()) !== undefined;
}

async function dropPending(db: Db, userId: number, kind: MessageKind, at: string) {
  const replaced = db
    .deleteFrom("outbox")
    .where(pending(userId, kind, at))
    .returning("token_hash");
  const hashes = (await replaced.execute()).map(({ token_hash }) => token_hash).filter((hash) => hash !== null);
  if (hashes.length > 0) await db.deleteFrom("tokens").where("hash", "in", hashes).execute();
}

/** How many messages are looked up at a time. */
const batchSize = 50;

/** Sends what is due, the oldest first, until nothing is or the mail server can't be reached. */
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

/** What carries a dead link, and what is for somebody who was removed. */
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

/** It is to be sent by now, and nobody is at it. */
const isDue = (at: string) => (eb: ExpressionBuilder<Tables, "outbox">) =>
  eb.and([
    eb("given_up_at", "is", null),
    eb("next_at", "<=", at),
    eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<=", at)]),
  ]);

type Row = Awaited<ReturnType<typeof claim>> & object;

/** Takes a message for this process alone, for longer than sending may last; undefined where another was first. */
const claim = ({ db, now }: Services, id: number) =>
  db
    .updateTable("outbox")
    .set({ claimed_until: new Date(now().getTime() + 2 * sendTimeoutMs).toISOString() })
    .where("id", "=", id)
    .where(isDue(now().toISOString()))
    .returningAll()
    .executeTakeFirst();

/** Sends one message and notes what became of it. False where no other would get through either. */
async function send({ db, mail, now, log }: Services, row: Row): Promise<boolean> {
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
    if (isPermanent || next > Date.parse(row.created_at) + daysInMs(2)) {
      log.error({ err, user, attempts }, "a message is given up");
      await ofRow.set({ attempts, text: "", given_up_at: now().toISOString(), claimed_until: null }).execute();
    } else {
      const next_at = new Date(next).toISOString();
      log.error({ err, user, attempts, next_at }, "a message could not be sent, and is tried again");
      await ofRow.set({ attempts, next_at, claimed_until: null }).execute();
    }
    return isOfMessage;
  }
  metrics.mails.inc({ outcome: "sent" });
  await db.deleteFrom("outbox").where("id", "=", id).execute();
  return true;
}

const retryDelaysMs = [minutesInMs(1), minutesInMs(5), minutesInMs(15), hoursInMs(1), hoursInMs(3)];

/** How long to wait after so many attempts: give or take a fifth, so that what failed together does not come together. */
const retryDelayMs = (attempts: number) => (retryDelaysMs[attempts - 1] ?? hoursInMs(6)) * (0.8 + Math.random() * 0.4);

/** Lets go of what a process that is gone was sending. Only for a database that no other process has. */
export const releaseClaims = (db: Db) => db.updateTable("outbox").set({ claimed_until: null }).execute();

/** How long it is remembered that a message was given up. */
const givenUpRetentionMs = daysInMs(30);

export async function deleteGivenUp({ db, now }: Services) {
  const before = new Date(now().getTime() - givenUpRetentionMs).toISOString();
  await db.deleteFrom("outbox").where("given_up_at", "<", before).execute();
}

/** Whether an invitation that a user was sent could not be delivered. */
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
