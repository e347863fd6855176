import { daysInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import type { Services } from "../services.ts";

/** Deletes ended links, codes and sessions, and recipients that their company wants no longer. */
export async function deleteOldRecipients({ db, now }: Services) {
  await db.deleteFrom("holder_tokens").where("expires_at", "<=", now().toISOString()).execute();
  const companies = db.selectFrom("companies").where("recipient_days", ">", 0).select(["id", "recipient_days"]);
  for (const { id, recipient_days } of await companies.execute()) {
    const before = ago(now(), daysInMs(recipient_days));
    const recipients = db.deleteFrom("recipients").where("company_id", "=", id);
    await recipients.where((eb) => eb(eb.fn.coalesce("sent_at", "created_at"), "<", before)).execute();
  }
}
