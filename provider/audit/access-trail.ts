import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { metrics } from "#lib/metrics.ts";
import type { Networks } from "#lib/storage/limits/networks.ts";
import type { Actor } from "../access.ts";
import type { Browser } from "../sessions/browsers.ts";
import type { AccessAction, AccessEntity, AuditEntity, AuditEntry } from "../contract/audit.ts";
import type { Db } from "../db/tables.ts";

/**
 * The audit trail of access: sign-ins, refusals, exports, downloads. Unauthenticated clients and scripts cause them by
 * the thousand, so rows are bounded: equal entries are one row with a count, and beyond a number of rows for an action
 * and a user in a day one overflow row counts the rest.
 */

/** A request's browser and network, as the trail stores them. */
export type Origin = { browser: string; network: string };

export type AccessEntry = Partial<Origin> & {
  company_id: number;
  actor: { id: number; name: string; key?: Actor["key"] | undefined };
  action: AccessAction;
  subject: { entity: AuditEntity | AccessEntity; id: number; name: string };
  changes?: AuditEntry["changes"];
  /** The user or account whose rows in a day are bounded. */
  userId: number;
  /** Entries of a day with the same text share a row; without it each has its own. */
  within?: string;
};

/** The actor of entries without a user. */
export const visitor = { id: 0, name: "A visitor" };

/** Rows of each action for a user in a day before the overflow row. */
export const maxRowsPerDay: Record<AccessAction, number> = {
  "signed in": 50,
  "sign-in failed": 20,
  "sign-ins slowed down": 20,
  "sign-ins limited": 20,
  "second factor failed": 20,
  "signed out": 50,
  "session ended": 50,
  "access refused": 50,
  exported: 100,
  downloaded: 500,
};

/** A client's network truncated to an IPv4 /24 or an IPv6 /48. */
function truncatedNetwork({ nearest, wider }: Networks): string {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(nearest);
  return ipv4 ? `${ipv4[1]}.0/24` : (wider.at(-1)?.prefix ?? nearest);
}

export const originOf = (networks: Networks, browser: Pick<Browser, "label"> | undefined): Origin => ({
  network: truncatedNetwork(networks),
  browser: browser?.label ?? "",
});

/** An entry with how often it happened between two instants. */
type EntryCount = { entry: AccessEntry; bound: string; within: string; count: number; first: string; last: string };

const single = (entry: AccessEntry, at: Date): EntryCount => {
  const last = at.toISOString();
  const bound = `${entry.action} ${entry.userId} ${last.slice(0, 10)}`;
  const by = entry.actor.key ? ` key ${entry.actor.key.id}` : "";
  const within = entry.within === undefined ? randomUUID() : entry.within + by;
  return { entry, bound, within, count: 1, first: last, last };
};

const overflow = "rest";
const asOverflow = ({ entry, ...counted }: EntryCount): EntryCount => {
  const { subject } = entry;
  const many = subject.entity === "user" ? subject : { ...subject, id: 0, name: "Several" };
  return { ...counted, within: overflow, entry: { ...entry, subject: many, changes: [], browser: "", network: "" } };
};

/** Writes an entry at once, in a transaction if `db` is one. */
export const insertAccessEntry = (db: Db, entry: AccessEntry, at: Date) => store(db, single(entry, at));

async function store(db: Db, counted: EntryCount): Promise<void> {
  const { bound, within } = counted;
  if (await increment(db, counted)) return;
  if (within === overflow) return insert(db, counted);
  const rows = db
    .selectFrom("audit")
    .where("bound", "=", bound)
    .select(sql<number>`count(*)`.as("rows"));
  const isFull = (await rows.executeTakeFirstOrThrow()).rows >= maxRowsPerDay[counted.entry.action];
  return isFull ? store(db, asOverflow(counted)) : insert(db, counted);
}

async function increment(db: Db, { bound, within, count, last, entry }: EntryCount): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("audit")
    .set((eb) => ({ count: eb("count", "+", count), first_at: eb.fn.coalesce("first_at", "at"), at: last }))
    .$if(Boolean(entry.browser), (update) => update.set({ browser: entry.browser! }))
    .where("bound", "=", bound)
    .where("within", "=", within)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function insert(db: Db, { entry, bound, within, count, first, last }: EntryCount) {
  const { company_id, actor, action, subject, changes = [], browser = "", network = "" } = entry;
  const whom = { actor_id: actor.id, actor: actor.name, api_key: actor.key?.name ?? "" };
  const what = { entity: subject.entity, entity_id: subject.id, entity_name: subject.name };
  const times = { at: last, first_at: count > 1 ? first : null, count };
  const from = { browser, network, trail: "access", bound, within } as const;
  await db
    .insertInto("audit")
    .values({ company_id, ...whom, action, ...what, changes: JSON.stringify(changes), ...times, ...from })
    // Another process may have inserted the row.
    .onConflict((conflict) =>
      conflict
        .columns(["bound", "within"])
        .doUpdateSet((eb) => ({ count: eb("audit.count", "+", count), first_at: first, at: last })),
    )
    .execute();
}

/** Buffers entries, so that no reply waits for them. */
export type AccessTrail = {
  /** Buffers an entry; it is written about a second later, together with others. */
  record(entry: AccessEntry): void;
  /** Writes all buffered entries. */
  flush(): Promise<void>;
};

/** Different entries in the buffer; beyond, they go into the overflow row of their user or are dropped. */
const maxPending = 2000;
const batchSize = 100;

type Settings = {
  db: Db;
  log: { error(event: object, message: string): void };
  now(): Date;
  /** Runs work about a second later. */
  defer(work: () => void): void;
  /** Called after entries were written. */
  onWritten?(): void;
};

export function createAccessTrail({ db, log, now, defer, onWritten }: Settings): AccessTrail {
  let waiting = new Map<string, EntryCount>();
  let isScheduled = false;
  let writing = Promise.resolve();

  function add(counted: EntryCount) {
    const key = `${counted.bound} ${counted.within}`;
    const before = waiting.get(key);
    if (before) {
      before.count += counted.count;
      before.last = counted.last > before.last ? counted.last : before.last;
    } else if (waiting.size < maxPending) {
      waiting.set(key, counted);
    } else if (counted.within !== overflow && waiting.has(`${counted.bound} ${overflow}`)) {
      add(asOverflow(counted));
    } else if (counted.within !== overflow && waiting.size < 2 * maxPending) {
      waiting.set(`${counted.bound} ${overflow}`, asOverflow(counted));
    } else {
      metrics.accessDropped.inc(counted.count);
    }
    if (isScheduled) return;
    isScheduled = true;
    defer(() => void flush());
  }

  async function writePending() {
    const entries = [...waiting.values()];
    waiting = new Map();
    isScheduled = false;
    for (let at = 0; at < entries.length; at += batchSize) {
      const batch = entries.slice(at, at + batchSize);
      try {
        await db.transaction().execute(async (transaction) => {
          for (const counted of batch) await store(transaction, counted);
        });
      } catch (err) {
        log.error(
          { err, entries: batch.length },
          "entries of the audit trail could not be written, and are tried again",
        );
        for (const counted of entries.slice(at)) add(counted);
        return;
      }
    }
    if (entries.length > 0) onWritten?.();
  }

  const flush = () => (writing = writing.then(writePending));
  return { record: (entry) => add(single(entry, now())), flush };
}
