import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { codeOf, signInClient } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type Figure, median } from "./figures.ts";
import type { PlainPage } from "./plain/app/page.tsx";

/** How fast strangers learn a verdict, with each scan stored, beside a plain page of the framework of the same size. */
export async function measureVerdicts(quick: boolean): Promise<Figure[]> {
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1" } });
  const client = await signInClient(server.url);
  const code = await codeOf(client, "/documents/1");
  const page = { url: `${server.url}/v/${code}` };
  const markup = await (await fetch(page.url, { headers: stranger(0) })).text();
  const plain = await startPlain(markup);
  try {
    const bytes = [markup.length, (await textOf(plain)).length];
    const control = { url: `${plain.url}/` };
    for (const each of [page, control]) await load(each.url, quick ? 3 : 20);
    const ratios = [];
    const rates: { own: number[]; plain: number[] } = { own: [], plain: [] };
    for (let turn = 0; turn < (quick ? 2 : 10); turn++) {
      const [plainly, own] = [await load(control.url, 2), await load(page.url, 2)];
      rates.plain.push(plainly.requests.average);
      rates.own.push(own.requests.average);
      ratios.push(own.requests.average / plainly.requests.average);
    }
    const crowd = await load(page.url, quick ? 3 : 10, 100);
    return [
      { what: "Plain pages of the framework a second", value: median(rates.plain), unit: "/s" },
      { what: "Verification pages a second, each recording a scan", value: median(rates.own), unit: "/s" },
      { what: "The second ÷ the first", value: median(ratios), unit: "times", atLeast: 0.8 },
      {
        what: "Bytes of the one ÷ the other",
        value: bytes[0]! / bytes[1]!,
        unit: "times",
        atLeast: 0.98,
        atMost: 1.02,
      },
      {
        what: "Verification pages with 100 visitors at once, p99",
        value: crowd.latency.p99 / 1000,
        unit: "s",
        atMost: 0.1,
      },
    ];
  } finally {
    await server.stop();
    await plain.stop();
  }
}

/** As many strangers as a proxy in front would tell apart, from as many networks that none is limited. */
const networks = 60_000;
const stranger = (n: number) => ({
  "user-agent":
    "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
  "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
});

async function load(url: string, duration: number, connections = 10) {
  let n = Math.floor(Math.random() * networks);
  const result = await autocannon({
    url,
    connections,
    duration,
    requests: [
      { setupRequest: (request) => ({ ...request, headers: { ...request.headers, ...stranger(n++ % networks) } }) },
    ],
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return result;
}

async function startPlain(markup: string): Promise<TestServer> {
  const folder = join(import.meta.dirname, "plain");
  const program = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "react-router");
  execFileSync(program, ["build"], { cwd: folder, stdio: "ignore" });
  const scratch = mkdtempSync(join(tmpdir(), "sealdesk-plain-"));
  const file = join(scratch, "page.json");
  const elements = [...markup.matchAll(/<\w[^>]*>([^<]*)/g)].map(([, text]) => text!.replace(/[^\w ]/g, ""));
  const start = (page: PlainPage) => {
    writeFileSync(file, JSON.stringify(page));
    return startServer({ build: join(folder, "build", "server", "index.js"), env: { PLAIN_PAGE: file } });
  };
  const empty = await start({ elements, rest: "" });
  const missing = markup.length - (await textOf(empty)).length;
  await empty.stop();
  const plain = await start({
    elements,
    rest: markup
      .replace(/[^\w ]/g, "")
      .padEnd(missing, "x")
      .slice(0, missing),
  });
  rmSync(scratch, { recursive: true });
  return plain;
}

const textOf = async ({ url }: TestServer) => (await fetch(url)).text();
