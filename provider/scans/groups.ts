import { setTimeout as wait } from "node:timers/promises";
import { type Insertable, sql } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { jsonRows } from "#lib/storage/database/json-rows.ts";
import type { Db, Tables } from "../db/tables.ts";
import { serviceUnavailable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import type { Finding } from "./judging/rules.ts";

/** Stores scans in groups with one commit each (`docs/decisions/scans-in-groups.md`). */

const columns = {
  company_id: "integer",
  document_id: "integer",
  copy: "integer",
  at: "text",
  day: "text",
  address_hash: "text",
  key_hash: "text",
  staff: "integer",
  suspicion: "integer",
  place: "text",
  verdict: "text",
  signature: "text",
} as const;
const queueColumns = { scan_id: "integer", company_id: "integer", at: "text", findings: "text" } as const;

export type NewScan = Required<Pick<Insertable<Tables["scans"]>, keyof typeof columns>> & {
  /** What was found when the page was opened; undefined if no rule is to look at the scan. */
  findings: Finding[] | undefined;
};

/** Bounds for how long one transaction holds the database. */
const maxGroup = 200;
/** A crowd's connections are accepted one by one: without this time a group had one scan. */
const gatherMs = 2;
/** More than are answered in a second. */
const maxWaiting = 2000;

type Waiting = { scan: NewScan; resolve(): void; reject(error: unknown): void };

/** The process's writer of scans. */
export function createScanGroups({ db, nudgeScanRules }: Pick<Services, "db" | "nudgeScanRules">) {
  const waiting: Waiting[] = [];
  let isWriting = false;

  async function writeAll() {
    isWriting = true;
    do {
      await wait(gatherMs);
      await write(waiting.splice(0, maxGroup));
    } while (waiting.length > 0);
    isWriting = false;
  }

  async function write(group: Waiting[]) {
    try {
      await insert(group.map(({ scan }) => scan));
      for (const { resolve } of group) resolve();
    } catch (error) {
      // One that can't be stored fails alone. If no answer came, all of them may be stored.
      if (group.length > 1 && isUndone(error)) for (const one of group) await write([one]);
      else for (const { reject } of group) reject(error);
    }
  }

  async function insert(scans: NewScan[]) {
    if (isPostgres(db)) await insertAtOnce(db, scans);
    else await db.transaction().execute((transaction) => insertAndQueue(transaction, scans));
    if (scans.some(({ findings }) => findings)) nudgeScanRules?.();
  }

  return {
    /** Whether the next scan would be refused. */
    isFull: () => waiting.length >= maxWaiting,
    /** Resolves once the scan's commit is durable. Throws 503 if too many wait. */
    store(scan: NewScan): Promise<void> {
      if (waiting.length >= maxWaiting) throw tooBusy();
      return new Promise((resolve, reject) => {
        waiting.push({ scan, resolve, reject });
        if (!isWriting) void writeAll();
      });
    },
  };
}

export type ScanGroups = ReturnType<typeof createScanGroups>;

export const tooBusy = () => serviceUnavailable("Too many codes are being checked. Try again in a moment", 3);

/** Whether the database says that it stored nothing: values or a lock were refused, or the transaction was rolled back. */
const isUndone = (error: unknown) =>
  /^(22|23|40(?!003)|55|SQLITE_(?!IOERR))/.test(String((error as { code?: unknown }).code));

/**
 * Stores scans and puts them before the rules in one statement. In a transaction of several, other processes' scans of the same company and
 * day wait for its counter until our event loop comes to the commit.
 */
async function insertAtOnce(db: Db, scans: NewScan[]) {
  const list = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const given = scans.map((scan) => ({ ...scan, findings: scan.findings && JSON.stringify(scan.findings) }));
  const { rows } = jsonRows(db, { ...columns, findings: "text" }, given);
  await sql`
    with given as (select * from ${rows}),
    stored as (insert into scans (${list}) select ${list} from given returning id, key_hash)
    insert into scans_to_judge (scan_id, company_id, at, findings)
    select id, company_id, at, findings from given join stored using (key_hash) where findings is not null`.execute(db);
}

/** The same on SQLite, which has no such statement. */
async function insertAndQueue(db: Db, scans: NewScan[]) {
  const { list, values, rows } = jsonRows(db, columns, scans);
  const stored = await sql<{ id: number; key_hash: string }>`
    insert into scans (${list}) select ${values} from ${rows} returning id, key_hash`.execute(db);
  const ids = new Map(stored.rows.map(({ id, key_hash }) => [key_hash, id]));
  const queued = scans.flatMap(({ key_hash, company_id, at, findings }) =>
    findings ? [{ scan_id: ids.get(key_hash), company_id, at, findings: JSON.stringify(findings) }] : [],
  );
  if (queued.length === 0) return;
  const queue = jsonRows(db, queueColumns, queued);
  await sql`insert into scans_to_judge (${queue.list}) select ${queue.values} from ${queue.rows}`.execute(db);
}
