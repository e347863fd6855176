import { gzipSync } from "node:zlib";
import { chromium, type Request } from "@playwright/test";
import { browserOptions } from "../support/browser.ts";
import { addPages, browserCookie, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { maxScripts, signedInPages } from "../support/script-pages.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import type { Figure } from "./figures.ts";

const guestPages = ["/login", "/forgot", "/signup", "/congratulations"];
const mapScript = "the map that can be moved";
const isMap = (request: Request) => request.url().includes("/live-map.client-");

/** JavaScript that a cold browser fetches for each page before anything is done there, compressed as by gzip. */
export async function measureScripts(): Promise<Figure[]> {
  // Tiles are wished for, so that the map's script comes; whether they come as well is not measured.
  const server = await startServer({ from: sampleData, env: { TILE_URL: "http://localhost:1/{z}/{x}/{y}.png" } });
  const browser = await chromium.launch(browserOptions());
  const measure = async (path: string, atMost: number, cookie?: string, what = path): Promise<Figure> => {
    const context = await browser.newContext();
    if (cookie) await context.addCookies([browserCookie({ url: server.url, cookie })]);
    const page = await context.newPage();
    const scripts: Request[] = [];
    page.on("request", (request) => request.resourceType() === "script" && scripts.push(request));
    await page.goto(`${server.url}${path}`, { waitUntil: "networkidle" });
    const bodies = scripts
      // Pages with a map are whole without its script, which comes once they are and is measured by itself.
      .filter((request) => isMap(request) === (what === mapScript))
      .map(async (request) => (await request.response())!.body());
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    await context.close();
    return {
      what: `JavaScript of ${what.replace(/[\da-f-]{36}/, "DRAFT")}`,
      value: bytes / 1000,
      unit: "kB gz",
      atMost,
    };
  };
  try {
    const client = await signInClient(server.url);
    const draft = await startDraft(client, "Measured");
    await addPages(client, draft, [asUpload(await picture("page.png"))]);
    const figures: Figure[] = [];
    for (const path of guestPages) figures.push(await measure(path, 0));
    const wizard = ["fields", "pages", "review"].map((step) => `${draft}/${step}`);
    for (const path of [...signedInPages, ...wizard]) figures.push(await measure(path, maxScripts, client.cookie));
    figures.push(await measure("/map", 50, client.cookie, mapScript));
    return figures;
  } finally {
    await browser.close();
    await server.stop();
  }
}
