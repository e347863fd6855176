import type { Complete } from "../contract/call.ts";
import type { Recipient } from "../contract/recipients.ts";
import type { Db } from "../db/tables.ts";

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
