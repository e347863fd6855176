import { metrics } from "#lib/metrics.ts";
import { secondsInMs } from "#lib/units.ts";
import type { AuditEntry } from "../contract/audit.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { sendSyslog, syslogMessage } from "./syslog.ts";

/**
 * Ships entries of all companies to the operator's syslog server, each at least once. Triggers queue them within the
 * transactions that write them (`db/migrations/005_audit_queue_expand_1.0.0.ts`), so that neither ids that commit out of order nor
 * entries that are counted up are overlooked.
 */

const batchSize = 200;
/** What receivers of RFC 5425 should take at least. */
const maxBytes = 8192;

type Shipping = Pick<Services, "db" | "auditSyslog" | "log" | "now">;

/** Begins or ends the queue, as the settings say. What happened before is not in it. */
export async function setShipping({ db, auditSyslog, log, now }: Shipping) {
  if (auditSyslog) {
    const first = db.insertInto("audit_shipping").values({ id: 1, since: now().toISOString() });
    await first.onConflict((conflict) => conflict.doNothing()).execute();
  } else if ((await db.deleteFrom("audit_shipping").executeTakeFirst()).numDeletedRows > 0n) {
    const { numDeletedRows } = await db.deleteFrom("audit_queue").executeTakeFirst();
    log.warn(
      { unsent: Number(numDeletedRows) },
      "the audit trail is no longer shipped, and unsent entries were deleted",
    );
  }
}

/** Sends what is queued, the oldest first. */
export async function shipAudit({ db, auditSyslog, publicUrl }: Services, signal: AbortSignal) {
  const { hostname } = new URL(publicUrl);
  if (!auditSyslog) return;
  while (!signal.aborted) {
    const queued = await nextEntries(db);
    if (queued.length === 0) return;
    // One that was counted up meanwhile is sent once, as it is now.
    const entries = new Map(queued.flatMap(({ queue_id: _, ...entry }) => (isThere(entry) ? [[entry.id, entry]] : [])));
    const messages = Array.from(entries.values(), (entry) => messageOf(entry, hostname));
    try {
      if (messages.length > 0) await sendSyslog(auditSyslog, messages, signal);
    } catch (error) {
      // The end of the process is no failure: the entries are still in the queue.
      if (signal.aborted) return;
      metrics.auditShipped.inc({ outcome: "failed" }, messages.length);
      throw error;
    }
    const ids = queued.map(({ queue_id }) => queue_id);
    await db
      .deleteFrom("audit_queue")
      .where(isAmong(db, "audit_queue.id", ids))
      .execute();
    metrics.auditShipped.inc({ outcome: "shipped" }, messages.length);
  }
}

const nextEntries = (db: Db) =>
  db
    .selectFrom("audit_queue")
    // Retention may have deleted it.
    .leftJoin("audit", "audit.id", "audit_queue.audit_id")
    .leftJoin("companies", "companies.id", "audit.company_id")
    .select(["audit_queue.id as queue_id", "audit.id", "audit.company_id", "companies.name as company", "audit.at"])
    .select(["trail", "action", "actor_id", "actor", "api_key", "entity", "entity_id", "entity_name", "changes"])
    .select(["audit.count", "first_at", "browser", "network"])
    .orderBy("audit_queue.id")
    .limit(batchSize)
    .execute();

type Queued = Omit<Awaited<ReturnType<typeof nextEntries>>[number], "queue_id">;
type Entry = { [Column in keyof Queued]: Column extends "first_at" ? Queued[Column] : NonNullable<Queued[Column]> };

const isThere = (entry: Queued): entry is Entry => entry.id !== null;

function messageOf({ changes: stored, ...entry }: Entry, hostname: string) {
  const { at, action, trail } = entry;
  const isWarning = /failed|refused|limited|slowed/.test(action);
  const severity = isWarning ? "warning" : trail === "changes" ? "notice" : "info";
  const changes = JSON.parse(stored) as AuditEntry["changes"];
  const message = (content: object) => syslogMessage({ severity, at, hostname, name: action, content });
  const whole = message({ ...entry, changes });
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  return message({ ...entry, changes: changes.map(({ field }) => ({ field })), isShortened: true });
}

/** Seconds for which the oldest entry of the queue has waited. */
export async function shippingLag(db: Db, now: Date): Promise<number> {
  const oldest = await db.selectFrom("audit_queue").select("at").orderBy("id").limit(1).executeTakeFirst();
  return oldest ? Math.max(0, (now.getTime() - Date.parse(oldest.at)) / secondsInMs(1)) : 0;
}
