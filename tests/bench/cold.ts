import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  devices,
  type Page,
} from "@playwright/test";
import { environment } from "#lib/config.ts";
import { browserOptions } from "../support/browser.ts";
import { browserCookie, signInClientPastNotice } from "../support/form-client.ts";
import { filledSignIns, signIn } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { type Figure, median } from "./figures.ts";

/** An old telephone on a slow line: bytes in a second, milliseconds, and how many times slower than this machine. */
const line = { offline: false, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8, latency: 150 };
const slowdown = 4;

const rows = 50;
const list = `/documents/list?per_page=${rows}`;

/** The line's users, and a screen on which a table is one. */
const screens = { telephone: devices["Pixel 7"]!, "wide screen": {} };

/** How soon such a browser, which has never been here, shows the list of documents, and what it fetches for it. */
export async function measureCold(quick: boolean): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-cold-"));
  const fill = ["build/server/cli.js", "fill", "--documents", "2000", "--companies", "0"];
  execFileSync(process.execPath, fill, { env: { ...environment, DATA_DIR: data }, stdio: "ignore" });
  const server = await startServer({ on: data });
  const browser = await chromium.launch(browserOptions());
  try {
    const client = await signInClientPastNotice(server.url, { ...signIn, email: filledSignIns("large").administrator });
    const { cookie } = client;
    // What the server compiles at its first answers is not the browser's time.
    for (let n = 0; n < 100; n++) await (await client.get(list)).arrayBuffer();
    await inContext(browser, cookie, (page) => page.goto(`${server.url}${list}`));
    const figures: Figure[] = [];
    for (const [screen, options] of Object.entries(screens)) {
      const loads: Load[] = [];
      for (let n = 0; n < (quick ? 1 : 5); n++) loads.push(await inContext(browser, cookie, load(server.url), options));
      const of = (name: keyof Load) => median(loads.map((each) => each[name]));
      figures.push(
        { what: `Slow ${screen}: first row of 50 documents`, value: of("first"), unit: "s", atMost: 0.8 },
        { what: `Slow ${screen}: the complete list`, value: of("complete"), unit: "s", atMost: 1 },
        { what: `Slow ${screen}: requests, cold`, value: of("cold"), unit: "requests" },
        { what: `Slow ${screen}: requests, warm`, value: of("warm"), unit: "requests", atMost: 2 },
      );
    }
    return [
      ...figures,
      ...(await weigh(browser, server.url, ["/login"], "")),
      ...(await weigh(browser, server.url, ["/dashboard", list], cookie)),
    ];
  } finally {
    await browser.close();
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Seconds since the address was entered, and requests that reached the network. */
type Load = { first: number; complete: number; cold: number; warm: number };

const load = (url: string) => async (page: Page, cdp: CDPSession) => {
  await cdp.send("Network.emulateNetworkConditions", line);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.addInitScript(watchRows, rows);
  const count = countRequests(cdp);
  await page.goto(`${url}${list}`);
  await allFetched(page);
  const cold = count();
  const { first, complete } = await page.evaluate(() => (window as unknown as Watched).shown);
  await page.reload();
  await allFetched(page);
  return { first: first! / 1000, complete: complete! / 1000, cold, warm: count() - cold };
};

/** Scripts, which come last, run when all of them have come; the font is the one file that none waits for. */
async function allFetched(page: Page) {
  await page.waitForFunction(() => {
    const router = (window as unknown as Watched).__reactRouterDataRouter;
    return router?.state.initialized && document.fonts.status === "loaded";
  });
}

type Watched = {
  __reactRouterDataRouter?: { state: { initialized: boolean } };
  shown: { first?: number; complete?: number };
};

/**
 * In the page: asks before each frame which rows have a height, and takes the time when that frame is handed over to be
 * shown, which is when a message sent before it comes. There are no frames while a style sheet is being waited for.
 */
function watchRows(expectedStatus: number) {
  const paintTimes: Watched["shown"] = {};
  (window as unknown as Watched).shown = paintTimes;
  const look = () => {
    // The first row and the last: asking each takes the telephone 20 ms.
    const rows = document.querySelectorAll("tbody tr");
    const isLaidOut = (row?: Element) => row !== undefined && row.getBoundingClientRect().height > 0;
    const [isBegun, isComplete] = [isLaidOut(rows[0]), isLaidOut(rows[expectedStatus - 1])];
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      if (isBegun) paintTimes.first ??= performance.now();
      if (isComplete) paintTimes.complete ??= performance.now();
    });
    port1.start();
    port2.postMessage("");
    if (!isComplete) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Counts what is fetched from the server, and not from the browser's caches. */
function countRequests(cdp: CDPSession) {
  const fetched = new Set<string>();
  cdp.on("Network.requestWillBeSent", ({ requestId }) => fetched.add(requestId));
  cdp.on("Network.requestServedFromCache", ({ requestId }) => fetched.delete(requestId));
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.fromDiskCache) fetched.delete(requestId);
  });
  return () => fetched.size;
}

/** The page and the style sheets that it waits for before it shows anything, as they come over the line. */
async function weigh(browser: Browser, url: string, paths: string[], cookie: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const path of paths) {
    const bytes = await inContext(browser, cookie, async (page) => {
      await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
      return page.evaluate(() => {
        type File = PerformanceResourceTiming & { renderBlockingStatus?: string };
        const files = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind) as File[]);
        return files
          .filter((file) => file.entryType === "navigation" || file.renderBlockingStatus === "blocking")
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      });
    });
    figures.push({ what: `HTML and CSS of ${path}`, value: bytes / 1000, unit: "kB gz", atMost: 40 });
  }
  return figures;
}

/** Does something in a browser that has never been here but for the session, if there is one. */
async function inContext<T>(
  browser: Browser,
  cookie: string,
  act: (page: Page, cdp: CDPSession) => Promise<T>,
  screen: BrowserContextOptions = {},
) {
  const context: BrowserContext = await browser.newContext(screen);
  try {
    if (cookie) await context.addCookies([browserCookie({ url: "http://localhost", cookie })]);
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    return await act(page, cdp);
  } finally {
    await context.close();
  }
}
