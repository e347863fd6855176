import { daysInMs } from "#units";
import { auditTrails } from "../contract/audit.ts";
import type { Services } from "../services.ts";

/** How many entries one statement deletes, so that none holds the database for long. */
const atOnce = 1000;

/** Deletes entries that are older than their trail is stored. */
export async function deleteOldEntries({ db, now, auditDays }: Services, signal: AbortSignal) {
  for (const trail of auditTrails) {
    if (auditDays[trail] === 0) continue;
    const before = new Date(now().getTime() - daysInMs(auditDays[trail])).toISOString();
    const deleteSome = async () => {
      const old = db.selectFrom("audit").where("trail", "=", trail).where("at", "<", before);
      const some = old.orderBy("at").limit(atOnce).select("id");
      return (await db.deleteFrom("audit").where("id", "in", some).executeTakeFirst()).numDeletedRows;
    };
    while (!signal.aborted && (await deleteSome()) > 0n);
  }
}
