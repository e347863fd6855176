import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { signInClientPastNotice } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { type Figure, p95 } from "./figures.ts";

/** Whether staff notice how many scans are stored; `verdicts.ts` has how fast strangers are answered. */
export async function measureScans(): Promise<Figure[]> {
  const few = await timesWith(1000);
  const many = await timesWith(1_000_000);
  const most = await timesWith(20_000_000);
  return asked.flatMap(({ what, isPromised }, n): Figure[] => [
    { what: `${what} with 1,000,000 scans stored, p95`, value: many[n]!, unit: "s", atMost: 0.2 },
    { what: `The same ÷ with 1,000`, value: many[n]! / few[n]!, unit: "times" },
    {
      what: `${what} with 20,000,000 ÷ with 1,000,000, p95`,
      value: most[n]! / many[n]!,
      unit: "times",
      ...(isPromised && { atMost: 1.25 }),
    },
    { what: `${what} with 20,000,000, p95`, value: most[n]!, unit: "s", atMost: 0.2 },
  ]);
}

const pages = ["/alerts", "/map", "/map?kind=suspicions", "/map/points?", "/dashboard"];

/** Each page again and again, as kept; and each once a scan was stored, after which nothing is kept. */
const asked = [false, true].flatMap((isAnew) =>
  pages.map((path) => ({
    path,
    isAnew,
    what: isAnew ? `${path}, each once a scan was stored,` : path,
    // A map shows as many suspicions as there are, up to 20,000.
    isPromised: !isAnew || path !== "/map?kind=suspicions",
  })),
);

/** The p95 in seconds of each page, with so many scans of the sample's documents in the last 90 days. */
async function timesWith(scans: number): Promise<number[]> {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-scans-"));
  cpSync(sampleData, data, { recursive: true });
  const file = join(data, "sealdesk.db");
  store(file, scans);
  const db = new Sqlite(file);
  const server = await startServer({ on: data });
  try {
    const client = await signInClientPastNotice(server.url);
    const times = [];
    for (const { path, isAnew } of asked) {
      await (await client.get(path)).text();
      const taken = [];
      for (let n = 0; n < 40; n++) {
        if (isAnew) storeOne(db);
        const begun = performance.now();
        await (await client.get(path)).text();
        taken.push((performance.now() - begun) / 1000);
      }
      times.push(p95(taken));
    }
    return times;
  } finally {
    await server.stop();
    db.close();
    rmSync(data, { recursive: true });
  }
}

/** Two of five tell where they are, in the north-west of England. */
function store(file: string, count: number) {
  const db = new Sqlite(file);
  db.exec("delete from alert_scans; delete from complaints; delete from scans");
  db.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into scans (company_id, document_id, at, day, address_hash, key_hash, place, suspicion, staff,
       latitude, longitude, accuracy)
     select d.company_id, d.id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (i * 7776000.0 / ?) || ' seconds'),
       date('now', '-' || (i * 90 / ?) || ' days'), '', '', '', i % 500 = 0, i % 9 = 0,
       case when i % 5 < 2 then 53.3 + (i * 7919 % 1000) / 1200.0 end,
       case when i % 5 < 2 then -3 + (i * 104729 % 1000) / 900.0 end, case when i % 5 < 2 then 40 end
     from n join documents d on d.id = 1 + i % 8`,
  ).run(count, count, count);
  db.close();
}

const storeOne = (db: Sqlite.Database) =>
  db.exec(
    `insert into scans (company_id, document_id, at, day, address_hash, key_hash, place, suspicion, staff)
     select company_id, id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), date('now'), '', '', '', 0, 0 from documents limit 1`,
  );
