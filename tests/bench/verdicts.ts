import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "#lib/config.ts";
import { startServer } from "../support/server.ts";
import { inDatabase } from "../support/stored.ts";
import { startBare, textOf } from "./bare-server.ts";
import { openPages, strangerHeaders } from "./crowd.ts";
import { type Figure, median } from "./figures.ts";

const plainPath = "/elements/verdict";

/** How fast strangers learn a verdict, with each scan stored, beside a plain page of the framework of the same size. */
export async function measureVerdicts(quick: boolean): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), "sealdesk-verdicts-"));
  const data = join(scratch, "data");
  const env = { ...environment, DATA_DIR: data };
  execFileSync(process.execPath, ["build/server/cli.js", "fill", "--documents", "1000", "--companies", "0"], { env });
  const server = await startServer({ on: data, env: { TRUSTED_PROXIES: "1" } });
  const paths = inDatabase({ data }, (db) => {
    const codes = db.prepare("select code from documents where status = 'active' and expire_date is null").pluck();
    return (codes.all() as string[]).map((code) => `/v/${code}`);
  });
  const markup = await (await fetch(server.url + paths[0]!, { headers: strangerHeaders(0) })).text();
  const page = { elements: elementsOf(markup) };
  const plain = await startBare(join(scratch, "pages.json"), { [plainPath]: { page, markup } });
  try {
    const bytes = [markup.length, (await textOf(plain, plainPath)).length];
    const before = scansIn(data);
    const answered = { own: 0 };
    const own = async (seconds: number, atOnce = 10) => {
      const result = await openPages(server.url, paths, { seconds, atOnce });
      answered.own += result["2xx"];
      return result;
    };
    const control = (seconds: number) => openPages(plain.url, [plainPath], { seconds });
    for (const load of [own, control]) await load(quick ? 3 : 20);
    const turns: { own: number; plain: number }[] = [];
    for (let turn = 0; turn < (quick ? 2 : 10); turn++) {
      const plainly = (await control(2)).requests.average;
      turns.push({ plain: plainly, own: (await own(2)).requests.average });
    }
    const crowd = await own(quick ? 3 : 10, 100);
    const stored = scansIn(data) - before;
    const perSecond = median(turns.map((turn) => turn.own));
    return [
      { what: "Plain pages of the framework a second", value: median(turns.map((turn) => turn.plain)), unit: "/s" },
      { what: "Verification pages a second, each recording a scan", value: perSecond, unit: "/s" },
      {
        what: "The second ÷ the first",
        value: median(turns.map((turn) => turn.own / turn.plain)),
        unit: "times",
        atLeast: 0.8,
      },
      {
        what: "Bytes of the one ÷ the other",
        value: bytes[0]! / bytes[1]!,
        unit: "times",
        atLeast: 0.98,
        atMost: 1.02,
      },
      // Those that were begun when a load ended are stored, and nobody counts their answer.
      { what: "Scans stored ÷ pages answered", value: stored / answered.own, unit: "times", atLeast: 1, atMost: 1.05 },
      { what: "With 100 visitors at once, p99", value: crowd.latency.p99 / 1000, unit: "s", atMost: 0.1 },
    ];
  } finally {
    await server.stop();
    await plain.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const scansIn = (data: string) =>
  inDatabase({ data }, (db) => db.prepare("select count(*) from scans").pluck().get() as number);

/** The texts of a page's elements. */
const elementsOf = (markup: string) =>
  [...markup.matchAll(/<\w[^>]*>([^<]*)/g)].map(([, text]) => text!.replace(/[^\w ]/g, ""));
