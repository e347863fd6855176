import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { metrics } from "#metrics";
import type { Networks } from "#storage/networks.ts";
import type { Browser } from "../sessions/browsers.ts";
import type { AccessAction, AccessEntity, AuditEntity, AuditEntry } from "../contract/audit.ts";
import type { Tables } from "../db/tables.ts";

/**
 * The part of the audit trail that is about access: sign-ins, refusals, exports, downloads. Strangers and scripts cause
 * them by the thousand, so rows are bounded: what is alike is one row with a count, and beyond so many rows of an action
 * and a user in a day, one row counts the rest.
 */

type Db = Kysely<Tables>;

/** Where a request comes from, as far as the trail keeps it. */
export type Origin = { browser: string; network: string };

export type AccessEntry = Partial<Origin> & {
  company_id: number;
  actor: { id: number; name: string };
  action: AccessAction;
  subject: { entity: AuditEntity | AccessEntity; id: number; name: string };
  changes?: AuditEntry["changes"];
  /** The user or account whose rows of a day are bounded. */
  about: number;
  /** What has one row; each time one of its own where it is not given. */
  within?: string;
};

/** Who tries to sign in, as the trail names them: nobody knows. */
export const visitor = { id: 0, name: "A visitor" };

/** How many rows each action has for one user in one day, before one row counts the rest. */
export const maxRowsPerDay: Record<AccessAction, number> = {
  "signed in": 50,
  "sign-in failed": 20,
  "sign-ins slowed down": 20,
  "sign-ins limited": 20,
  "signed out": 50,
  "session ended": 50,
  "access refused": 50,
  exported: 100,
  downloaded: 500,
};

/** A client's network as the trail keeps it: an IPv4 /24 or an IPv6 /48, never its address. */
function truncatedNetwork({ nearest, wider }: Networks): string {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(nearest);
  return ipv4 ? `${ipv4[1]}.0/24` : (wider.at(-1)?.prefix ?? nearest);
}

export const originOf = (networks: Networks, browser: Pick<Browser, "label"> | undefined): Origin => ({
  network: truncatedNetwork(networks),
  browser: browser?.label ?? "",
});

/** An entry that happened `count` times between two instants. */
type EntryCount = { entry: AccessEntry; bound: string; within: string; count: number; first: string; last: string };

const single = (entry: AccessEntry, at: Date): EntryCount => {
  const last = at.toISOString();
  const bound = `${entry.action} ${entry.about} ${last.slice(0, 10)}`;
  return { entry, bound, within: entry.within ?? randomUUID(), count: 1, first: last, last };
};

/** The row that counts the rest. */
const overflow = "rest";
const asOverflow = ({ entry, ...counted }: EntryCount): EntryCount => {
  const { subject } = entry;
  const many = subject.entity === "user" ? subject : { ...subject, id: 0, name: "Several" };
  return { ...counted, within: overflow, entry: { ...entry, subject: many, changes: [], browser: "", network: "" } };
};

/** Writes an entry at once, in the transaction of what it is about where there is one. */
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
  const whom = { actor_id: actor.id, actor: actor.name };
  const what = { entity: subject.entity, entity_id: subject.id, entity_name: subject.name };
  const times = { at: last, first_at: count > 1 ? first : null, count };
  const from = { browser, network, trail: "access", bound, within } as const;
  await db
    .insertInto("audit")
    .values({ company_id, ...whom, action, ...what, changes: JSON.stringify(changes), ...times, ...from })
    // Another machine may have been first.
    .onConflict((conflict) =>
      conflict
        .columns(["bound", "within"])
        .doUpdateSet((eb) => ({ count: eb("audit.count", "+", count), first_at: first, at: last })),
    )
    .execute();
}

/** Entries on their way to the database, so that no reply waits for them. */
export type AccessTrail = {
  /** Notes an entry; it is written about a second later, together with others. */
  record(entry: AccessEntry): void;
  /** Writes what has been noted by now. */
  flush(): Promise<void>;
};

/** How many different entries wait at most; beyond, they are counted in the rest of their user's, or dropped. */
const maxPending = 2000;
const together = 100;

type Settings = {
  db: Db;
  log: { error(event: object, message: string): void };
  now(): Date;
  /** Has something done soon. */
  soon(work: () => void): void;
};

export function createAccessTrail({ db, log, now, soon }: Settings): AccessTrail {
  let waiting = new Map<string, EntryCount>();
  let isDue = false;
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
    if (isDue) return;
    isDue = true;
    soon(() => void flush());
  }

  async function writeAll() {
    const noted = [...waiting.values()];
    waiting = new Map();
    isDue = false;
    for (let at = 0; at < noted.length; at += together) {
      const some = noted.slice(at, at + together);
      try {
        await db.transaction().execute(async (transaction) => {
          for (const counted of some) await store(transaction, counted);
        });
      } catch (err) {
        log.error(
          { err, entries: some.length },
          "entries of the audit trail could not be written, and are tried again",
        );
        for (const counted of noted.slice(at)) add(counted);
        return;
      }
    }
  }

  const flush = () => (writing = writing.then(writeAll));
  return { record: (entry) => add(single(entry, now())), flush };
}
