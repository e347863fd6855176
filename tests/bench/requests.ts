import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { environment } from "#config";
import { signInClientPastNotice } from "../support/form-client.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { filledSignIns, signIn } from "../support/sample.ts";
import type { BarePage, BareRow } from "./bare/app/list.tsx";
import { type Figure, median } from "./figures.ts";

const list = "/documents/list?per_page=50";
const bareFolder = join(import.meta.dirname, "bare");

/** How many lists of 50 documents are served in a second, beside a page of the framework alone with the same rows and bytes. */
export async function measureRequests(quick: boolean): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), "sealdesk-requests-"));
  const [data, file] = [join(scratch, "data"), join(scratch, "page.json")];
  const env = { ...environment, DATA_DIR: data };
  execFileSync(process.execPath, ["build/server/cli.js", "fill", "--documents", "1000", "--companies", "0"], { env });
  const server = await startServer({ on: data });
  const client = await signInClientPastNotice(server.url, { ...signIn, email: filledSignIns("large").administrator });
  const markup = await (await client.get(list)).text();
  buildBare();
  let bare = await startBare(file, { rows: rowsOf(markup), rest: "" });
  // Its text comes as markup, and again as data.
  const missing = (markup.length - (await textOf(bare)).length) / 2;
  await bare.stop();
  bare = await startBare(file, { rows: rowsOf(markup), rest: markup.replace(/[^\w ]/g, "").slice(0, missing) });
  try {
    const bytes = [markup.length, (await textOf(bare)).length];
    const pages = { bare: { url: `${bare.url}/` }, own: { url: server.url + list, cookie: client.cookie } };
    for (const page of Object.values(pages)) await perSecond(page, quick ? 5 : warmUp);
    const taken: { bare: number; own: number }[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const turns: typeof taken = [];
      for (let turn = 0; turn < 4; turn++) {
        turns.push({ bare: await perSecond(pages.bare, 2), own: await perSecond(pages.own, 2) });
      }
      const mean = (page: keyof typeof pages) => turns.reduce((sum, each) => sum + each[page], 0) / turns.length;
      taken.push({ bare: mean("bare"), own: mean("own") });
    }
    return [
      { what: "Lists of 50 documents a second", value: median(taken.map(({ own }) => own)), unit: "/s" },
      { what: "Bare pages of the framework a second", value: median(taken.map((one) => one.bare)), unit: "/s" },
      {
        what: "A list ÷ a bare page, by requests a second",
        value: median(taken.map((one) => one.own / one.bare)),
        unit: "times",
        atLeast: 0.6,
      },
      {
        what: "Bytes of the first ÷ the second",
        value: bytes[0]! / bytes[1]!,
        unit: "times",
        atLeast: 0.98,
        atMost: 1.02,
      },
    ];
  } finally {
    await server.stop();
    await bare.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Builds it, as it changes with the framework. */
function buildBare() {
  const program = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "react-router");
  execFileSync(program, ["build"], { cwd: bareFolder, stdio: "ignore" });
}

function startBare(file: string, page: BarePage) {
  writeFileSync(file, JSON.stringify(page));
  return startServer({ build: join(bareFolder, "build", "server", "index.js"), env: { BARE_PAGE: file } });
}

const textOf = async ({ url }: TestServer) => (await fetch(url)).text();

/** The rows of a served list, read from its markup. */
function rowsOf(markup: string): BareRow[] {
  const text = (html: string) =>
    html
      .replace(/<[^>]*>/g, "")
      .replaceAll("&amp;", "&")
      .replaceAll("&#x27;", "'");
  return markup
    .split('<tr role="row">')
    .slice(-50)
    .map((row) => {
      const cells = row.split(/<t[dh] /).map((cell) => text(cell.slice(cell.indexOf(">") + 1)));
      const [, name, branch, user, category, date, number] = cells as string[] & Record<number, string>;
      return { id: /\/documents\/(\d+)/.exec(row)![1]!, name, branch, user, category, date, number } as BareRow;
    });
}

/** How many seconds a page is asked for before it counts: so long the engine goes on making ours faster, by a third. */
const warmUp = 40;

/** Answers in a second, to eight who each ask again once they have theirs, from the other core. */
async function perSecond({ url, cookie }: { url: string; cookie?: string }, duration: number): Promise<number> {
  // As every browser asks.
  const headers = { "accept-encoding": "gzip", ...(cookie && { cookie }) };
  const { requests, non2xx, errors } = await autocannon({ url, headers, connections: 8, workers: 1, duration });
  if (non2xx + errors > 0) throw new Error(`${url} was answered ${non2xx} times with an error, ${errors} times not`);
  return requests.average;
}
