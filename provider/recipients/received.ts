import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { dateIn } from "../calendar/calendar.ts";
import { validityOf } from "../scans/validity.ts";

/** What was sent to holders. */

/** The most documents of a list. */
const mostReceived = 1000;

/** Recipients whose company still sends documents, with these; on a company's own host its own. */
const openRecipients = (db: Db, hostCompany: number | undefined) =>
  db
    .selectFrom("recipients")
    .innerJoin("documents", "documents.id", "recipients.document_id")
    .innerJoin("companies", "companies.id", "recipients.company_id")
    .where("recipients.ended_at", "is", null)
    .where("companies.active", "=", TRUE)
    .where("companies.delivers", "=", 1)
    .$if(hostCompany !== undefined, (query) => query.where("recipients.company_id", "=", hostCompany!));

/** The newest documents in force that were sent to an address, by company, and whether there are more of them. */
export async function receivedRows(db: Db, emailKey: string, now: Date, hostCompany?: number) {
  const newest = await openRecipients(db, hostCompany)
    .where("recipients.email_key", "=", emailKey)
    .where("recipients.sent_at", "is not", null)
    .where(({ eb, fn }) => eb(fn.coalesce("status_before_archive", "documents.status"), "!=", "exited"))
    // Today is a later day elsewhere: what remains is decided by the company's.
    .where(({ eb, or }) => or([eb("expire_date", "is", null), eb("expire_date", ">=", dateIn("Etc/GMT+12", now))]))
    .orderBy("documents.date", "desc")
    .orderBy("recipients.id", "desc")
    .select(["recipients.id", "recipients.email", "companies.name as company", "companies.timezone", "number", "date"])
    .select(["document_type", "document_subtype", "expire_date", "status", "status_before_archive"])
    .limit(mostReceived + 1)
    .execute();
  const rows = newest
    .slice(0, mostReceived)
    .filter(({ timezone, ...document }) => validityOf(document, dateIn(timezone, now)) === "in force")
    .toSorted((a, b) => a.company.localeCompare(b.company));
  return { rows, isPartial: newest.length > mostReceived };
}

/** A recipient whose links open something. */
export const openRecipient = (db: Db, id: number, hostCompany: number | undefined) =>
  openRecipients(db, hostCompany)
    .where("recipients.id", "=", id)
    .selectAll("documents")
    .select(["recipients.id as recipient_id", "recipients.email_key", "recipients.sent_at", "recipients.opened_at"])
    .select(["recipients.downloaded_at", "recipients.language", "companies.name as company", "companies.timezone"])
    .select("delivery_pages")
    .executeTakeFirst();

export type OpenRecipient = NonNullable<Awaited<ReturnType<typeof openRecipient>>>;
