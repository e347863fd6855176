import { daysInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import { auditTrails } from "../contract/audit.ts";
import { isAmong } from "../db/lists.ts";
import { forgetAudited } from "../log/enter.ts";
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
      const ids = (await old.orderBy("at").limit(batchSize).select("id").execute()).map(({ id }) => id);
      await db.transaction().execute(async (transaction) => {
        await forgetAudited(transaction, ids);
        await transaction
          .deleteFrom("audit")
          .where(isAmong(db, "id", ids))
          .execute();
      });
      return ids.length;
    };
    while (!signal.aborted && (await deleteBatch()) > 0);
  }
}
