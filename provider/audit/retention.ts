import { daysInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import { auditTrails } from "../contract/audit.ts";
import type { Services } from "../services.ts";

/** Entries per statement, so that none locks the database for long. */
const batchSize = 1000;

/** Deletes entries beyond their trail's retention. */
export async function deleteOldEntries({ db, now, auditDays }: Services, signal: AbortSignal) {
  for (const trail of auditTrails) {
    if (auditDays[trail] === 0) continue;
    const before = ago(now(), daysInMs(auditDays[trail]));
    const deleteBatch = async () => {
      const old = db.selectFrom("audit").where("trail", "=", trail).where("at", "<", before);
      const batch = old.orderBy("at").limit(batchSize).select("id");
      return (await db.deleteFrom("audit").where("id", "in", batch).executeTakeFirst()).numDeletedRows;
    };
    while (!signal.aborted && (await deleteBatch()) > 0n);
  }
}
