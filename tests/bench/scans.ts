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
  return pages.flatMap((path, n): Figure[] => [
    { what: `${path} with 1,000,000 scans stored, p95`, value: many[n]!, unit: "s", atMost: 0.2 },
    { what: `The same ÷ with 1,000`, value: many[n]! / few[n]!, unit: "times" },
    {
      what: `${path} with 20,000,000 ÷ with 1,000,000, p95`,
      value: most[n]! / many[n]!,
      unit: "times",
      atMost: 1.25,
    },
  ]);
}

const pages = ["/alerts", "/map", "/map?kind=suspicions", "/map/points?", "/dashboard"];

/** The p95 in seconds of each page, with so many scans of the sample's documents in the last 90 days. */
async function timesWith(scans: number): Promise<number[]> {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-scans-"));
  cpSync(sampleData, data, { recursive: true });
  store(join(data, "sealdesk.db"), scans);
  const server = await startServer({ on: data });
  try {
    const client = await signInClientPastNotice(server.url);
    const times = [];
    for (const path of pages) {
      await (await client.get(path)).text();
      const taken = [];
      for (let n = 0; n < 40; n++) {
        const begun = performance.now();
        await (await client.get(path)).text();
        taken.push((performance.now() - begun) / 1000);
      }
      times.push(p95(taken));
    }
    return times;
  } finally {
    await server.stop();
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
