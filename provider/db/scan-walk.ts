import { setImmediate as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { isPostgres } from "#storage/database.ts";
import type { Actor } from "../access.ts";
import type { Tables } from "./tables.ts";
import { scanRows, scansFound, type Wish } from "./scans.ts";

/**
 * Scans that told a place are read in the order of their time, some thousand at a time, and those left out that are not
 * asked for: whose documents somebody may see is looked up scan by scan, 100 ms for 35,000, and nobody else is to wait.
 */

type Db = Kysely<Tables>;
type Place = { at: string; id: number };

/** How many are read at a time: 7 ms with SQLite; with PostgreSQL all, as nobody else waits. */
const usual = (db: Db) => (isPostgres(db) ? Infinity : 2500);

/** As the index has it that holds just these. */
const isPlaced = sql<boolean>`(scans.latitude is not null or scans.place <> '')`;

type Walk = { isDown: boolean; most: number; atOnce?: number };

/** No more than `most` of the scans that are asked for, each as `pick` selects it. */
export async function walkScans<Row>(
  db: Db,
  actor: Actor,
  wish: Wish,
  { isDown, most, atOnce = usual(db) }: Walk,
  pick: (found: ReturnType<typeof scanRows>) => { execute(): Promise<Row[]> },
): Promise<Row[]> {
  const direction = isDown ? "desc" : "asc";
  const rows: Row[] = [];
  let last: Place | undefined;
  do {
    const lot = db
      .selectFrom("scans")
      .where("company_id", "=", actor.company_id)
      .where(isPlaced)
      .$if(wish.kind.length === 1 && wish.kind[0] === "suspicions", (all) => all.where(sql<boolean>`suspicion = 1`))
      .$if(last !== undefined, (all) =>
        all.where(sql<boolean>`(at, id) ${sql.raw(isDown ? "<" : ">")} (${last!.at}, ${last!.id})`),
      )
      .orderBy("at", direction)
      .orderBy("id", direction);
    const found = scanRows(db, actor, atOnce < Infinity ? lot.selectAll().limit(atOnce) : undefined)
      .where(isPlaced)
      .where(scansFound(actor, wish))
      .orderBy("scans.at", direction)
      .orderBy("scans.id", direction)
      .$if(most < Infinity, (all) => all.limit(most - rows.length));
    rows.push(...(await pick(found).execute()));
    if (rows.length >= most || atOnce === Infinity) break;
    await pause();
    last = await lot
      .select(["at", "id"])
      .limit(1)
      .offset(atOnce - 1)
      .executeTakeFirst();
  } while (last);
  return rows;
}
