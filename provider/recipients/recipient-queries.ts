import { expressionBuilder } from "kysely";
import type { Complete } from "../contract/call.ts";
import type { Recipient } from "../contract/recipients.ts";
import type { MailFilter } from "../contract/documents.ts";
import type { Db, Tables } from "../db/tables.ts";

/** A document's recipients, the newest first. */
export async function recipientsOf(db: Db, documentId: number): Promise<Complete<typeof Recipient>[]> {
  const rows = await db
    .selectFrom("recipients")
    .where("document_id", "=", documentId)
    .select(["id", "name", "email", "language", "created_at", "bounce"])
    .select(["sent_at", "opened_at", "downloaded_at", "bounced_at", "ended_at"])
    .select((eb) =>
      eb
        .selectFrom("recipient_mails")
        .whereRef("recipient_id", "=", "recipients.id")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("mails"),
    )
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ mails, ...row }) => ({
    ...row,
    sent_at: row.sent_at ?? "",
    opened_at: row.opened_at ?? "",
    downloaded_at: row.downloaded_at ?? "",
    bounced_at: row.bounced_at ?? "",
    ended_at: row.ended_at ?? "",
    is_waiting: Number(mails) > 0,
  }));
}

const isMailed = (mail: MailFilter) => {
  const eb = expressionBuilder<Tables, "recipients">();
  const isSuch =
    mail === "undelivered"
      ? [eb("recipients.bounced_at", "is not", null)]
      : [eb("recipients.opened_at", "is", null), eb("sent_at", "is not", null), eb("bounced_at", "is", null)];
  return eb.and([eb("recipients.ended_at", "is", null), ...isSuch]);
};

/** Whether a document has a recipient of whose newest mail that became. */
export function hasMailed(mail: MailFilter) {
  const recipients = expressionBuilder<Tables, "documents">().selectFrom("recipients");
  const those = recipients.whereRef("recipients.document_id", "=", "documents.id").where(isMailed(mail));
  return expressionBuilder<Tables, "documents">().exists(those.select("recipients.id"));
}

/** The documents of a company with such a recipient, `limit` at most. */
export async function mailedIds(db: Db, companyId: number, mail: MailFilter, limit: number): Promise<number[]> {
  const recipients = db.selectFrom("recipients").where("company_id", "=", companyId).where(isMailed(mail));
  const ids = await recipients.select("document_id").distinct().orderBy("document_id", "desc").limit(limit).execute();
  return ids.map(({ document_id }) => document_id);
}
