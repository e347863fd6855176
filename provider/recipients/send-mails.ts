import type { ExpressionBuilder, Updateable } from "kysely";
import { metrics } from "#lib/metrics.ts";
import { daysInMs } from "#lib/units.ts";
import { dateIn } from "../calendar/calendar.ts";
import { TRUE } from "../db/flags.ts";
import type { Db, Tables } from "../db/tables.ts";
import { codeOrigin } from "../hosts/host-queries.ts";
import { newestVersion } from "../documents/replacements.ts";
import { DeliveryError, sendTimeoutMs, type Message } from "../mail/mail.ts";
import { givenUpAfterMs, retryDelayMs } from "../mail/outbox.ts";
import { validityOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { drawCode, issueHolderToken } from "./holder-tokens.ts";
import { codeMessage, documentMessage, type Occasion } from "./letters.ts";
import { receivedRows } from "./received.ts";

/**
 * Sends the queued mails to holders. Their links and codes are drawn here, and are nowhere else but in the mail. A mail
 * that the mail server may have taken is never sent again: it would be a second one, with another link.
 */

const batchSize = 50;
/** Mails that are sent at the same time. */
const atOnce = 5;

/** Sends due mails, codes first, until none is left or the mail server is unreachable. */
export async function sendRecipientMails(services: Services, signal: AbortSignal) {
  for (let due = await dueIds(services); due.length > 0; due = await dueIds(services)) {
    for (let n = 0; n < due.length; n += atOnce) {
      if (signal.aborted) return;
      const sent = await Promise.all(due.slice(n, n + atOnce).map((id) => claimAndSend(services, id)));
      if (sent.includes(false)) return;
    }
  }
}

const isDue = (at: string) => (eb: ExpressionBuilder<Tables, "recipient_mails">) =>
  eb.and([eb("next_at", "<=", at), eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<=", at)])]);

async function dueIds({ db, now }: Services) {
  const due = db.selectFrom("recipient_mails").where(isDue(now().toISOString())).select("id");
  const codes = await due.where("kind", "=", "code").orderBy("id").limit(batchSize).execute();
  const rows = codes.length > 0 ? codes : await due.orderBy("next_at").orderBy("id").limit(batchSize).execute();
  return rows.map(({ id }) => id);
}

type ClaimedMail = NonNullable<Awaited<ReturnType<typeof claim>>>;

/** Claims a mail for this process, for longer than sending may take; undefined if another did. */
const claim = ({ db, now }: Services, id: number) =>
  db
    .updateTable("recipient_mails")
    .set({ claimed_until: new Date(now().getTime() + 2 * sendTimeoutMs).toISOString() })
    .where("id", "=", id)
    .where(isDue(now().toISOString()))
    .returningAll()
    .executeTakeFirst();

/** Returns false if the others would fail as well. */
async function claimAndSend(services: Services, id: number): Promise<boolean> {
  const { db, mail, now } = services;
  const row = await claim(services, id);
  if (!row) return true;
  if (row.handed_over_at) {
    await end(db, row, unanswered(row.handed_over_at));
    return true;
  }
  const written = await (row.kind === "code" ? writeCode(services, row) : writeDocument(services, row));
  if (!written) {
    await end(db, row, row.kind === "link" || row.kind === "reminder" ? unsent(now().toISOString()) : {});
    // Nobody learns that: its code would be wrong in any case.
    await db.deleteFrom("holder_tokens").where("hash", "=", row.request_hash).execute();
    return true;
  }
  let handedOver: boolean | undefined;
  const handOver = async () => {
    handedOver = await markHandedOver(services, row);
    if (!handedOver) throw new Error("ended meanwhile");
  };
  try {
    await mail.send({ ...written.message, id: row.message_id, date: new Date(row.created_at), handOver });
  } catch (error) {
    return handedOver === false || fail(services, row, { error, link: written.link, handedOver });
  }
  metrics.mails.inc({ outcome: "sent" });
  await end(db, row, { sent_at: now().toISOString(), bounced_at: null, bounce: "" });
  return true;
}

/** Returns whether it is still to be sent, and by this process. */
async function markHandedOver({ db, now }: Services, { id, claimed_until }: ClaimedMail): Promise<boolean> {
  const marked = db.updateTable("recipient_mails").set({ handed_over_at: now().toISOString() }).where("id", "=", id);
  return (await marked.where("claimed_until", "=", claimed_until).executeTakeFirst()).numUpdatedRows > 0n;
}

const unanswered = (sent_at: string) => ({
  sent_at,
  bounced_at: null,
  bounce: "The mail server gave no answer: it may not have arrived",
});

const unsent = (bounced_at: string) => ({
  bounced_at,
  bounce: "Not sent: the document was not in force any more, or your company had turned sending off",
});

/** Takes a mail from the queue, and notes what became of it. */
const end = (db: Db, { id, recipient_id }: ClaimedMail, outcome: Updateable<Tables["recipients"]>) =>
  db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("recipient_mails").where("id", "=", id).execute();
    if (!recipient_id || Object.keys(outcome).length === 0) return;
    await transaction.updateTable("recipients").set(outcome).where("id", "=", recipient_id).execute();
  });

type Failed = { error: unknown; link?: string | undefined; handedOver: boolean | undefined };

async function fail({ db, now, log }: Services, row: ClaimedMail, failed: Failed): Promise<boolean> {
  const { error, link, handedOver } = failed;
  metrics.mails.inc({ outcome: "failed" });
  const { isOfMessage, isPermanent, reply } =
    error instanceof DeliveryError ? error : { isOfMessage: false, isPermanent: false, reply: "" };
  const attempts = row.attempts + 1;
  const next = now().getTime() + retryDelayMs(attempts);
  const isUnanswered = handedOver && !reply;
  const isOver = isUnanswered || isPermanent || next > Date.parse(row.created_at) + givenUpAfterMs;
  const { recipient_id: recipient } = row;
  log.error({ err: error, recipient, attempts }, isOver ? "message dropped" : "message not sent, retrying");
  // The mail server has said that nobody got this link; otherwise somebody may have.
  if (link && isOfMessage) await db.deleteFrom("holder_tokens").where("hash", "=", tokenHash(link)).execute();
  const at = now().toISOString();
  if (isUnanswered) await end(db, row, unanswered(at));
  else if (isOver) await end(db, row, { bounced_at: at, bounce: asLine(reply) });
  else {
    const retry = { attempts, next_at: new Date(next).toISOString(), claimed_until: null, handed_over_at: null };
    await db.updateTable("recipient_mails").set(retry).where("id", "=", row.id).execute();
    if (recipient)
      await db
        .updateTable("recipients")
        .set({ bounce: asLine(reply) })
        .where("id", "=", recipient)
        .execute();
  }
  return isOfMessage;
}

/** Releases the claims of a process that died. Only for a database that no other process uses. */
export const releaseRecipientClaims = (db: Db) =>
  db.updateTable("recipient_mails").set({ claimed_until: null }).execute();

/** A mail server's reply, of any length and content. */
const asLine = (reply: string) =>
  reply
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 200);

type Written = { message: Message; link?: string } | undefined;

/** Undefined if there is nobody to send a code to: the reply to its request did not say so. */
async function writeCode({ db, now }: Services, { request_hash, language }: ClaimedMail): Promise<Written> {
  const requests = db.selectFrom("holder_tokens").where("hash", "=", request_hash).select("email_key");
  const request = await requests.where("expires_at", ">", now().toISOString()).executeTakeFirst();
  const received = request && (await receivedRows(db, request.email_key!, now())).rows[0];
  if (!received) return undefined;
  return { message: codeMessage(received.email, language, await drawCode(db, request_hash!)) };
}

/** Undefined if the recipient or the occasion is gone. */
async function writeDocument(services: Services, { recipient_id, kind }: ClaimedMail): Promise<Written> {
  const { db, now } = services;
  const recipient = await db
    .selectFrom("recipients")
    .innerJoin("documents", "documents.id", "recipients.document_id")
    .innerJoin("companies", "companies.id", "recipients.company_id")
    .where("recipients.id", "=", recipient_id!)
    .where("recipients.ended_at", "is", null)
    .where("companies.active", "=", TRUE)
    .where("companies.delivers", "=", 1)
    .select(["recipients.id", "recipients.name", "recipients.email", "recipients.language"])
    .select(["companies.name as company", "companies.timezone", "delivery_days", "replaced_by_id"])
    .select(["documents.company_id", "host_id"])
    .select(["document_type", "document_subtype", "number", "status", "status_before_archive", "expire_date"])
    .executeTakeFirst();
  if (!recipient) return undefined;
  const { timezone, delivery_days } = recipient;
  const occasion = await occasionOf(db, kind, recipient, dateIn(timezone, now()));
  if (!occasion) return undefined;
  const lastsMs = daysInMs(delivery_days);
  const link = await issueHolderToken(db, "link", { recipient_id: recipient.id }, { now: now(), lastsMs });
  const origin = await codeOrigin(services, recipient);
  const links = {
    link: `${origin}/received/open?token=${link}&lang=${recipient.language}`,
    until: dateIn(timezone, new Date(now().getTime() + lastsMs)),
    mine: `${origin}/received?lang=${recipient.language}`,
  };
  return { message: documentMessage(recipient, recipient, links, occasion), link };
}

type Occurred = Parameters<typeof validityOf>[0] & { replaced_by_id: number | null };

/** What the mail is about; undefined if that is no longer so. */
async function occasionOf(db: Db, kind: ClaimedMail["kind"], document: Occurred, today: string) {
  const validity = validityOf(document, today);
  if (kind === "link" || kind === "reminder") return validity === "in force" ? ({ kind } as Occasion) : undefined;
  if (validity !== "withdrawn") return undefined;
  const newer = await newestVersion(db, document.replaced_by_id);
  return (newer ? { kind: "replaced", newer: newer.number } : { kind: "withdrawn" }) satisfies Occasion;
}
