import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { Agent, request, type RequestOptions } from "node:http";
import { join } from "node:path";
import autocannon from "autocannon";
import { environment } from "#lib/config.ts";
import { signInClientPastNotice } from "../support/form-client.ts";
import { startServer } from "../support/server.ts";
import { filledSignIns, signIn } from "../support/sample.ts";
import { inDatabase } from "../support/stored.ts";
import { startBare, textOf } from "./bare-server.ts";
import type { BareRow } from "./bare/app/rows.tsx";
import { strangerHeaders } from "./crowd.ts";
import { type Figure, median } from "./figures.ts";

/** Each page, and the least that it may be of a bare one. */
const pages = {
  list: { path: "/documents/list?per_page=50", what: "Lists of 50 documents", atLeast: 0.6 },
  dashboard: { path: "/dashboard", what: "Dashboards", atLeast: 0.5 },
} as const;

/** The address of the bare page beside one. */
const bareOf = (name: string) => `/rows/${name}`;

/** How often pages are served in a second, each beside a page of the framework alone with as many rows and bytes. */
export async function measureRequests(quick: boolean): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), "sealdesk-requests-"));
  const [data, file] = [join(scratch, "data"), join(scratch, "pages.json")];
  const env = { ...environment, DATA_DIR: data };
  execFileSync(process.execPath, ["build/server/cli.js", "fill", "--documents", "1000", "--companies", "0"], { env });
  const server = await startServer({ on: data, env: { TRUSTED_PROXIES: "1" } });
  const code = inDatabase({ data }, (db) =>
    db.prepare("select code from documents where status = 'active'").pluck().get(),
  );
  const client = await signInClientPastNotice(server.url, { ...signIn, email: filledSignIns("large").administrator });
  const markups = await Promise.all(Object.values(pages).map(async ({ path }) => (await client.get(path)).text()));
  const given = Object.keys(pages).map((name, n) => {
    const markup = markups[n]!;
    return [bareOf(name), { page: { rows: rowsOf(markup) }, markup }] as const;
  });
  const bare = await startBare(file, Object.fromEntries(given));
  try {
    const figures: Figure[] = [];
    for (const [n, [name, { path, what, atLeast }]] of Object.entries(pages).entries()) {
      const bytes = [markups[n]!.length, (await textOf(bare, bareOf(name))).length] as const;
      const own = { url: server.url, cookie: client.cookie };
      const sides: Sides = {
        bare: { url: bare.url, path: bareOf(name) },
        own: { ...own, path },
      };
      const taken = await inTurns(sides, quick);
      const anew = await afterScans(sides, `${server.url}/v/${code}`, quick);
      figures.push(
        { what: `${what} a second`, value: median(taken.map(({ own }) => own)), unit: "/s" },
        {
          what: `Bare pages of as many bytes a second`,
          value: median(taken.map((one) => one.bare)),
          unit: "/s",
        },
        {
          what: `${what} ÷ bare pages, by requests a second`,
          value: median(taken.map((one) => one.own / one.bare)),
          unit: "times",
          atLeast,
        },
        {
          what: "The same once a scan was stored before each, by the time of one alone",
          value: median(anew.map(({ readAnew }) => readAnew)),
          unit: "times",
        },
        {
          what: "The same, each rendered anew as well",
          value: median(anew.map(({ renderedAnew }) => renderedAnew)),
          unit: "times",
        },
        {
          what: "Bytes of the first ÷ the second",
          value: bytes[0] / bytes[1],
          unit: "times",
          atLeast: 0.98,
          atMost: 1.02,
        },
      );
    }
    return figures;
  } finally {
    await server.stop();
    await bare.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Side = { url: string; path: string; cookie?: string };

type Sides = Record<"bare" | "own", Side>;

/** For each round, the requests a second of each, asked for by turns after a warm-up. */
async function inTurns(sides: Sides, quick: boolean) {
  for (const side of Object.values(sides)) await perSecond(side, quick ? 5 : warmUp);
  const taken: Record<keyof Sides, number>[] = [];
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    const turns: typeof taken = [];
    for (let turn = 0; turn < 4; turn++) {
      turns.push({ bare: await perSecond(sides.bare, 2), own: await perSecond(sides.own, 2) });
    }
    const mean = (side: keyof Sides) => turns.reduce((sum, each) => sum + each[side], 0) / turns.length;
    taken.push({ bare: mean("bare"), own: mean("own") });
  }
  return taken;
}

/**
 * For each round, the time of the bare page ÷ that of ours, one request at a time: ours after the scan of a code is stored, so that it
 * is read anew; and the same at another address each time, so that it is rendered anew too. The bare one comes after another of it.
 */
async function afterScans({ bare, own }: Sides, codeUrl: string, quick: boolean) {
  const agent = new Agent({ keepAlive: true });
  let n = 0;
  const take = async ({ url, path, cookie }: Side, before: string) => {
    await read(before, { agent, headers: strangerHeaders(n++) });
    const begun = performance.now();
    await read(url + path, { agent, headers: cookie ? { cookie } : {} });
    return performance.now() - begun;
  };
  const rounds: { readAnew: number; renderedAnew: number }[] = [];
  for (let round = 0; round < (quick ? 2 : 6); round++) {
    const ms = { bare: 0, readAnew: 0, renderedAnew: 0 };
    for (let turn = 0; turn < 200; turn++) {
      ms.bare += await take(bare, bare.url + bare.path);
      ms.readAnew += await take(own, codeUrl);
      const path = `${own.path}${own.path.includes("?") ? "&" : "?"}turn=${n}`;
      ms.renderedAnew += await take({ ...own, path }, codeUrl);
    }
    rounds.push({ readAnew: ms.bare / ms.readAnew, renderedAnew: ms.bare / ms.renderedAnew });
  }
  agent.destroy();
  // The first warms the engine up.
  return rounds.slice(1);
}

function read(url: string, options: RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} was answered with ${response.statusCode}`));
      response.resume().once("end", resolve).once("error", reject);
    });
    sent.once("error", reject).end();
  });
}

/** The rows of a served page's tables, read from its markup, without the boxes to tick. */
function rowsOf(markup: string): BareRow[] {
  const text = (html: string) =>
    html
      .replace(/<[^>]*>/g, "")
      .replaceAll("&amp;", "&")
      .replaceAll("&#x27;", "'");
  const rows = markup.split(/<tr role="row"/).filter((row) => row.includes('<th scope="row"'));
  return rows.map((row) => {
    const cells = row.slice(row.indexOf("<th "), row.indexOf("</tr>")).split(/<t[dh] /);
    const [, name, branch, user, category, date, number] = cells.map((cell) => text(cell.slice(cell.indexOf(">") + 1)));
    const id = /\/(\d+)"/.exec(row)?.[1];
    const texts = Object.entries({ id, name, branch, user, category, date, number });
    return Object.fromEntries(texts.map(([field, value]) => [field, value ?? ""])) as BareRow;
  });
}

/** How many seconds a page is asked for before it counts: so long the engine goes on making ours faster, by a third. */
const warmUp = 40;

/** Uncompressed answers in a second, to eight who each ask again once they have theirs, from the other core. */
async function perSecond({ url, path, cookie }: Side, duration: number): Promise<number> {
  const options = { url, headers: cookie ? { cookie } : {}, requests: [{ path }] };
  const { requests, non2xx, errors } = await autocannon({ ...options, connections: 8, workers: 1, duration });
  if (non2xx + errors > 0) throw new Error(`${url} was answered ${non2xx} times with an error, ${errors} times not`);
  return requests.average;
}
