import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Language } from "#lib/messages/languages.ts";
import { foldEmail } from "#lib/text.ts";
import { type Actor, type Caller, isAdministrator } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import { daysInMs } from "#lib/units.ts";
import { ago, dateIn } from "../calendar/calendar.ts";
import { maxRecipients, type newRecipient } from "../contract/recipients.ts";
import type { Db, Tables } from "../db/tables.ts";
import { findDocument } from "../documents/document-queries.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, findReachable, forbidden, invalid, notFound } from "../http/errors.ts";
import { validityOf } from "../scans/validity.ts";
import type { Services } from "../services.ts";
import { endLinks } from "./holder-tokens.ts";
import { recipientSettings } from "./settings.ts";

/** Whom documents are sent to. The mails are made when they are sent (`send-mails.ts`). */

export type NewRecipient = z.output<typeof newRecipient>;
type MailKind = Tables["recipient_mails"]["kind"];

/** Adds a recipient to a document in force, and queues the mail. Throws 403, 404, 409 and 422. */
export async function sendDocument(services: Services, caller: Caller, documentId: number, recipient: NewRecipient) {
  const id = await inCallerTransaction(services, caller, async (db, actor) => {
    const document = await findReachable((right) => findDocument(db, actor, documentId, right), "write");
    await requireSendable(services, db, actor, document);
    return addRecipient(services, db, { actor, document, recipient });
  });
  services.nudgeRecipients?.();
  return id;
}

type Sending = { recipient: NewRecipient };
type Addition = Sending & { actor: Actor; document: { id: number; name: string } };

/** The same in the transaction that issues the document. */
export async function sendIssued(services: Services, db: Db, actor: Actor, issued: { id: number } & Sending) {
  const { id, recipient } = issued;
  const document = await db.selectFrom("documents").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  await requireSendable(services, db, actor, document);
  await addRecipient(services, db, { actor, document, recipient });
  services.nudgeRecipients?.();
}

async function addRecipient(services: Services, db: Db, { actor, document, recipient }: Addition) {
  const { name, email, language } = recipient;
  const others = await db
    .selectFrom("recipients")
    .where("document_id", "=", document.id)
    .select(["email_key"])
    .limit(maxRecipients)
    .execute();
  const email_key = foldEmail(email);
  if (others.some((other) => other.email_key === email_key)) {
    throw invalid({ email: "This document was sent to this address already: send a reminder instead" });
  }
  if (others.length >= maxRecipients) throw conflict(`A document can have ${maxRecipients} recipients`);
  const created_at = services.now().toISOString();
  const row = { company_id: actor.company_id, document_id: document.id, name, email, email_key, language, created_at };
  const { id } = await db.insertInto("recipients").values(row).returning("id").executeTakeFirstOrThrow();
  await queueMail(services, db, { recipient_id: id, language, kind: "link" });
  await auditRecipient(services, db, actor, { action: "sent", id, document });
  return id;
}

/** Sends the mail again, and opens an ended recipient's document to them anew. Throws 403, 404 and 409. */
export async function remindRecipient(services: Services, caller: Caller, documentId: number, n: number) {
  await inCallerTransaction(services, caller, async (db, actor) => {
    const { document, recipient } = await findRecipient(db, actor, documentId, n);
    await requireSendable(services, db, actor, document);
    await remind(services, db, { actor, document, recipient });
  });
  services.nudgeRecipients?.();
}

/**
 * Reminds those of a document's recipients who have not opened it and were not reminded within a day. Throws 403, 404,
 * and 409 if there is none.
 */
export async function remindDocument(services: Services, caller: Caller, documentId: number) {
  await inCallerTransaction(services, caller, async (db, actor) => {
    const document = await findReachable((right) => findDocument(db, actor, documentId, right), "write");
    await requireSendable(services, db, actor, document);
    const before = ago(services.now(), daysInMs(1));
    const recipients = await db
      .selectFrom("recipients")
      .where("document_id", "=", document.id)
      .where("ended_at", "is", null)
      .where("opened_at", "is", null)
      .where((eb) => eb(eb.fn.coalesce("reminded_at", "created_at"), "<=", before))
      .select(["id", "language"])
      .execute();
    if (recipients.length === 0) throw conflict("It was sent to them, or they were reminded, within a day");
    for (const recipient of recipients) await remind(services, db, { actor, document, recipient });
  });
  services.nudgeRecipients?.();
}

type Reminding = { actor: Actor; document: Addition["document"]; recipient: { id: number; language: Language } };

async function remind(services: Services, db: Db, { actor, document, recipient: { id, language } }: Reminding) {
  const reminded_at = services.now().toISOString();
  await db.updateTable("recipients").set({ ended_at: null, reminded_at }).where("id", "=", id).execute();
  await queueMail(services, db, { recipient_id: id, language, kind: "reminder" });
  await auditRecipient(services, db, actor, { action: "reminded", id, document });
}

/** Ends a recipient's links to a document. Throws 403 and 404. */
export const endRecipient = (services: Services, caller: Caller, documentId: number, n: number) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { document, recipient } = await findRecipient(db, actor, documentId, n);
    if (recipient.ended_at !== null) return;
    const ended_at = services.now().toISOString();
    await db.updateTable("recipients").set({ ended_at }).where("id", "=", n).execute();
    await endLinks(db, n);
    await db.deleteFrom("recipient_mails").where("recipient_id", "=", n).execute();
    await auditRecipient(services, db, actor, { action: "link ended", id: n, document });
  });

/** Deletes a company's recipients with an address. Returns how many there were. Throws 403. */
export const eraseRecipients = (services: Services, caller: Caller, email: string) =>
  inCallerTransaction(services, caller, async (db, actor) => {
    if (!isAdministrator(actor)) throw forbidden();
    const erased = await deleteRecipients(db, actor.company_id, foldEmail(email));
    const subject = { entity: "recipient", id: 0, name: "" } as const;
    if (erased > 0) await audit(db, { actor, action: "erased", subject, at: services.now() });
    return erased;
  });

/** Links, visits and mails go with them. */
export async function deleteRecipients(db: Db, companyId: number, emailKey: string): Promise<number> {
  const recipients = db.deleteFrom("recipients").where("company_id", "=", companyId);
  return Number((await recipients.where("email_key", "=", emailKey).executeTakeFirst()).numDeletedRows);
}

/** Tells a document's recipients that it is no longer in force, if their company wants that. */
export async function tellRecipients(services: Services, db: Db, document: { id: number; company_id: number }) {
  if (!(await recipientSettings(db, document.company_id)).delivery_news) return;
  const recipients = await db
    .selectFrom("recipients")
    .where("document_id", "=", document.id)
    .where("ended_at", "is", null)
    .where("sent_at", "is not", null)
    .select(["id", "language"])
    .execute();
  for (const { id, language } of recipients) {
    await queueMail(services, db, { recipient_id: id, language, kind: "withdrawn" });
  }
  if (recipients.length > 0) services.nudgeRecipients?.();
}

/** Queues a mail, in place of one of the recipient's that is neither sent nor being sent. */
async function queueMail(
  { now, publicUrl }: Services,
  db: Db,
  mail: { recipient_id: number; language: Language; kind: MailKind },
) {
  const at = now().toISOString();
  const waiting = db.deleteFrom("recipient_mails").where("recipient_id", "=", mail.recipient_id);
  await waiting.where("claimed_until", "is", null).execute();
  const anew = db.updateTable("recipients").set({ bounced_at: null, bounce: "" });
  await anew.where("id", "=", mail.recipient_id).execute();
  const values = { ...mail, request_hash: null, message_id: newMessageId(publicUrl), created_at: at, next_at: at };
  await db.insertInto("recipient_mails").values(values).execute();
}

export const newMessageId = (publicUrl: string) => `${randomUUID()}@${new URL(publicUrl).hostname}`;

/** Throws 409 if a company sends no documents, or not this one. */
export async function requireSendable(
  { now }: Services,
  db: Db,
  { company_id, timezone }: Pick<Actor, "company_id" | "timezone">,
  document: Parameters<typeof validityOf>[0],
) {
  if (!(await recipientSettings(db, company_id)).delivers) {
    throw conflict("Your company does not send documents: an administrator can turn it on under Settings");
  }
  if (validityOf(document, dateIn(timezone, now())) !== "in force") {
    throw conflict("Only a document in force can be sent");
  }
}

async function findRecipient(db: Db, actor: Actor, documentId: number, n: number) {
  const document = await findReachable((right) => findDocument(db, actor, documentId, right), "write");
  const ofDocument = db.selectFrom("recipients").where("document_id", "=", document.id).where("id", "=", n);
  const recipient = await ofDocument.selectAll().executeTakeFirst();
  if (!recipient) throw notFound();
  return { document, recipient };
}

type RecipientAction = { action: "sent" | "reminded" | "link ended"; id: number; document: Addition["document"] };

/** Without name and address, which are erased with the recipient. */
const auditRecipient = (services: Services, db: Db, actor: Actor, { action, id, document }: RecipientAction) =>
  audit(db, {
    actor,
    action,
    subject: { entity: "recipient", id, name: document.name },
    at: services.now(),
    after: { document: document.id },
  });
