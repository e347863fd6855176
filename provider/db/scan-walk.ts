import { setImmediate as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Actor } from "../access.ts";
import { isRealDate } from "../contract/fields.ts";
import { addDays } from "../calendar.ts";
import { kindCondition, scanRows, matchingScans, type ScanQuery } from "./scans.ts";
import { scansAtOnce } from "./search.ts";
import type { Tables } from "./tables.ts";

/**
 * Scans that told a place are read in the order of their time, some thousand at a time, and those left out that are not
 * asked for: whose documents somebody may see is looked up scan by scan, 100 ms for 35,000, and nobody else is to wait.
 */

type Db = Kysely<Tables>;
type Place = { at: string; id: number };

type Walk = {
  isDown: boolean;
  /** Where counting ends. */
  most: number;
  /** How many of the first are counted and not given. */
  skip?: number;
  /** How many are given then. */
  size?: number;
  atOnce?: number;
};

/** Some of the scans that are asked for, each as `pick` selects it, and how many there are up to `most`. */
export async function walkScans<Row>(
  db: Db,
  actor: Actor,
  wish: ScanQuery,
  { isDown, most, skip = 0, size = most, atOnce = scansAtOnce(db) }: Walk,
  pick: (found: ReturnType<typeof scanRows>) => { execute(): Promise<Row[]> },
): Promise<{ rows: Row[]; count: number }> {
  const direction = isDown ? "desc" : "asc";
  const [behind, upTo] = [sql.raw(isDown ? "<" : ">"), sql.raw(isDown ? ">=" : "<=")];
  const rows: Row[] = [];
  let count = 0;
  let last: Place | undefined;
  for (;;) {
    const there = [
      sql<boolean>`scans.company_id = ${actor.company_id}`,
      // As the index has it that holds just these.
      sql<boolean>`(scans.latitude is not null or scans.place <> '')`,
      // So that a lot of suspicions is not one of all scans, among which they are few.
      ...kindCondition(wish),
      ...timesOf(wish),
      ...(last ? [sql<boolean>`(scans.at, scans.id) ${behind} (${last.at}, ${last.id})`] : []),
    ];
    // Known before the lot is read: what is added or erased meanwhile has no scan read twice or passed over.
    const end: Place | undefined =
      atOnce === Infinity
        ? undefined
        : await db
            .selectFrom("scans")
            .where((eb) => eb.and(there))
            .orderBy("at", direction)
            .orderBy("id", direction)
            .select(["at", "id"])
            .limit(1)
            .offset(atOnce - 1)
            .executeTakeFirst();
    const found = scanRows(db, actor)
      .where((eb) => eb.and(there))
      .$if(end !== undefined, (all) => all.where(sql<boolean>`(scans.at, scans.id) ${upTo} (${end!.at}, ${end!.id})`))
      .where(matchingScans(actor, wish))
      .orderBy("scans.at", direction)
      .orderBy("scans.id", direction)
      .limit(most - count);
    const some = await pick(found).execute();
    rows.push(...some.slice(Math.max(0, skip - count), Math.max(0, skip + size - count)));
    count += some.length;
    if (!end || count >= most) return { rows, count };
    last = end;
    await pause();
  }
}

/** Between which instants the days are that are asked for, wherever the company is. */
function timesOf({ date_from, date_to }: ScanQuery) {
  const times = [];
  if (date_from && isRealDate(date_from)) times.push(sql<boolean>`scans.at >= ${addDays(date_from, -1)}`);
  // Two days behind the last ones would be in a year of five digits.
  if (date_to && isRealDate(date_to) && date_to < "9999") times.push(sql<boolean>`scans.at < ${addDays(date_to, 2)}`);
  return times;
}
