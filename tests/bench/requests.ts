import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { Agent, request, type RequestOptions } from "node:http";
import { join } from "node:path";
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
  list: { path: "/documents/list?per_page=50", what: "Lists of 50 documents", atLeast: 0.65 },
  dashboard: { path: "/dashboard", what: "Dashboards", atLeast: 0.55 },
} as const;

/** The address of the bare page beside one. */
const bareOf = (name: string) => `/rows/${name}`;

/** How long pages take, each beside a page of the framework alone with as many rows and bytes. */
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
  const requestList = Object.keys(pages).map((name, n) => {
    const markup = markups[n]!;
    return [bareOf(name), { page: { rows: rowsOf(markup) }, markup }] as const;
  });
  const bare = await startBare(file, Object.fromEntries(requestList));
  try {
    const figures: Figure[] = [];
    for (const [n, [name, { path, what, atLeast }]] of Object.entries(pages).entries()) {
      const bytes = [markups[n]!.length, (await textOf(bare, bareOf(name))).length] as const;
      const sides: Sides = {
        bare: { url: bare.url, path: bareOf(name) },
        own: { url: server.url, cookie: client.cookie, path },
      };
      const rounds = await inTurns(sides, `${server.url}/v/${code}`, quick);
      figures.push(
        { what: `${what}: median`, value: median(rounds.map(({ own }) => own)), unit: "ms" },
        {
          what: `${what} ÷ the framework's plain page, by their speed`,
          value: median(rounds.map((round) => round.bare / round.own)),
          unit: "times",
          atLeast,
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

/**
 * For each round, the median time of each page, requested in turns, one at a time: ours and the plain one alike after the scan of a code is
 * stored, and at an address of their own each.
 */
async function inTurns({ bare, own }: Sides, codeUrl: string, quick: boolean) {
  const agent = new Agent({ keepAlive: true });
  let n = 0;
  const take = async ({ url, path, cookie }: Side) => {
    await read(codeUrl, { agent, headers: strangerHeaders(n++) });
    const startedAt = performance.now();
    await read(`${url}${path}${path.includes("?") ? "&" : "?"}turn=${n}`, { agent, headers: cookie ? { cookie } : {} });
    return performance.now() - startedAt;
  };
  const rounds: Record<keyof Sides, number>[] = [];
  for (let round = 0; round < (quick ? 3 : 12); round++) {
    const times: Record<keyof Sides, number[]> = { bare: [], own: [] };
    for (let turn = 0; turn < 200; turn++) {
      times.bare.push(await take(bare));
      times.own.push(await take(own));
    }
    rounds.push({ bare: median(times.bare), own: median(times.own) });
  }
  agent.destroy();
  // The engine makes both faster for most of a minute.
  return rounds.slice(quick ? 1 : 6);
}

function read(url: string, options: RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} was answered with ${response.statusCode}`));
      response.resume().once("end", resolve).once("error", reject);
    });
    outgoing.once("error", reject).end();
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
