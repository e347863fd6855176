import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import Sqlite from "better-sqlite3";
import { codeOf, signInClient, signInClientPastNotice } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { type Figure, p95 } from "./figures.ts";

/** How fast strangers are answered, and whether staff notice how many scans are stored. */
export async function measureScans(): Promise<Figure[]> {
  const few = await timesWith(1000);
  const many = await timesWith(1_000_000);
  return [
    ...(await measureStrangers()),
    ...pages.flatMap((path, n): Figure[] => [
      { what: `${path} with 1,000,000 scans stored, p95`, value: many[n]!, unit: "s", atMost: 0.2 },
      { what: `The same ÷ with 1,000`, value: many[n]! / few[n]!, unit: "times" },
    ]),
  ];
}

const phone =
  "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36";

/** The page behind a code, which also records a scan, against a page that asks nobody anything. */
async function measureStrangers(): Promise<Figure[]> {
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1" } });
  try {
    const client = await signInClient(server.url);
    const path = `/v/${await codeOf(client, "/documents/1")}`;
    const load = (path: string) =>
      autocannon({
        url: server.url,
        connections: 10,
        duration: 8,
        // As many strangers as a proxy in front would tell apart.
        requests: Array.from({ length: 1000 }, (_, n) => ({
          path,
          headers: { "user-agent": phone, "x-forwarded-for": `198.51.${Math.floor(n / 250)}.${n % 250}` },
        })),
      });
    const bare = await load("/congratulations");
    const page = await load(path);
    if (page.non2xx > 0) throw new Error(`${page.non2xx} of ${page.requests.total} were refused`);
    return [
      { what: "Requests of a bare page a second", value: bare.requests.average, unit: "/s" },
      { what: "Requests of the public page a second, each recording a scan", value: page.requests.average, unit: "/s" },
      { what: "The public page with ten visitors at once, p99", value: page.latency.p99 / 1000, unit: "s" },
    ];
  } finally {
    await server.stop();
  }
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
