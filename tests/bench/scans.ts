import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { type FormClient, signInClientPastNotice } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { strangerHeaders } from "./crowd.ts";
import { type Figure, p95 } from "./figures.ts";

/** Whether staff notice how many scans are stored; `verdicts.ts` has how fast strangers are answered. */
export async function measureScans(): Promise<Figure[]> {
  const filled: Filled[] = [];
  try {
    for (const scans of [1000, 1_000_000, 20_000_000]) filled.push(await serveWith(scans));
    const figures: Figure[] = [];
    for (const { path, isAnew } of asked) {
      const [few, many, most] = await timesOf(path, isAnew, filled);
      const what = isAnew ? `${path}, each once a scan was stored,` : path;
      // A map shows as many suspicions as there are, up to 20,000.
      const isPromised = !isAnew || path !== "/map?kind=suspicions";
      figures.push(
        { what: `${what} with 1,000,000 scans stored, p95`, value: many!, unit: "s", atMost: 0.2 },
        { what: "The same ÷ with 1,000", value: many! / few!, unit: "times" },
        { what: `${what} with 20,000,000, p95`, value: most!, unit: "s", atMost: 0.2 },
        {
          what: `${what} with 20,000,000 ÷ with 1,000,000, p95`,
          value: most! / many!,
          unit: "times",
          ...(isPromised && { atMost: 1.25 }),
        },
      );
    }
    return figures;
  } finally {
    for (const { stop } of filled) await stop();
  }
}

const pages = ["/alerts", "/map", "/map?kind=suspicions", "/map/points?", "/dashboard"];

/** Each page again and again, as kept; and each once a scan was stored, after which nothing is kept. */
const asked = [false, true].flatMap((isAnew) => pages.map((path) => ({ path, isAnew })));

type Filled = { client: FormClient; storeScan(): Promise<unknown>; stop(): Promise<void> };

/** A server with so many scans of the sample's documents in the last 90 days. */
async function serveWith(scans: number): Promise<Filled> {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-scans-"));
  cpSync(sampleData, data, { recursive: true });
  const code = store(join(data, "sealdesk.db"), scans);
  const server = await startServer({ on: data, env: { TRUSTED_PROXIES: "1" } });
  let strangers = 0;
  return {
    client: await signInClientPastNotice(server.url),
    async storeScan() {
      await (await fetch(`${server.url}/v/${code}`, { headers: strangerHeaders(strangers++) })).text();
    },
    async stop() {
      await server.stop();
      rmSync(data, { recursive: true });
    },
  };
}

const times = 240;

/** The p95 of a page on each server in seconds, asked in turns, as the machine's speed changes. */
async function timesOf(path: string, isAnew: boolean, filled: Filled[]): Promise<number[]> {
  const taken: number[][] = filled.map(() => []);
  for (let turn = -5; turn < times; turn++) {
    for (const [n, { client, storeScan }] of filled.entries()) {
      if (isAnew) await storeScan();
      const begun = performance.now();
      await (await client.get(path)).text();
      // The first ones warm it up.
      if (turn >= 0) taken[n]!.push((performance.now() - begun) / 1000);
    }
  }
  return taken.map(p95);
}

/** Two of five tell where they are, in the north-west of England. Returns the code of a document. */
function store(file: string, count: number): string {
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
  const code = db.prepare("select code from documents limit 1").pluck().get() as string;
  db.close();
  return code;
}
