import { chromium } from "@playwright/test";
import lighthouse, { type Result } from "lighthouse";
import { browserOptions } from "../support/browser.ts";
import { addPages, browserCookie, codeOf, signInClientPastNotice, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { freePort } from "../support/postgres.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { type Figure, median } from "./figures.ts";

const categories = ["performance", "accessibility", "best-practices", "seo"];

/**
 * Left out: whether search engines may list the page. None may: staff work behind a sign-in, and a document's page is for
 * whoever holds the document (`public/robots.txt`, and `x-robots-tag` on the page itself).
 */
const skipAudits = ["is-crawlable"];

/** What Lighthouse gives each kind of page as on a telephone, of 100: the median of three runs, or what one run gives. */
export async function measureLighthouse(quick: boolean): Promise<Figure[]> {
  const server = await startServer({ from: sampleData });
  const port = await freePort();
  const options = browserOptions();
  const browser = await chromium.launch({ ...options, args: [...options.args, `--remote-debugging-port=${port}`] });
  try {
    const client = await signInClientPastNotice(server.url);
    const draft = await startDraft(client, "Measured");
    await addPages(client, draft, [asUpload(await picture("page.png"))]);
    const document = "/documents/8";
    const pages = [
      { path: "/login", isGuest: true },
      { path: "/dashboard" },
      { path: "/documents/list" },
      { path: document },
      { path: `${draft}/fields` },
      { path: "/alerts" },
      { path: "/map" },
      { path: `/v/${await codeOf(client, document)}`, isGuest: true },
    ];
    const cdp = await browser.newBrowserCDPSession();
    const figures: Figure[] = [];
    let failures = 0;
    for (const { path, isGuest } of pages) {
      const runs: Result[] = [];
      while (runs.length < (quick ? 1 : 3)) {
        // A browser that has never been here but for the session.
        await cdp.send("Storage.clearCookies");
        if (!isGuest) await cdp.send("Storage.setCookies", { cookies: [browserCookie(client)] });
        // Its defaults are a telephone with a slow processor on a slow line.
        const run = await lighthouse(`${server.url}${path}`, {
          port,
          skipAudits,
          onlyCategories: categories,
          logLevel: "error",
        });
        const { runtimeError, finalDisplayedUrl } = run!.lhr;
        if (!runtimeError && !finalDisplayedUrl?.endsWith(path)) throw new Error(`${path} led to ${finalDisplayedUrl}`);
        // Now and then it records nothing, and asks to be run again.
        if (!runtimeError) runs.push(run!.lhr);
        else if (runtimeError.code !== "NO_NAVSTART" || ++failures > 5) throw new Error(runtimeError.message);
      }
      for (const category of categories) {
        figures.push({
          what: `Lighthouse: ${nameOf(path)}, ${category}`,
          value: median(runs.map(({ categories }) => categories[category]!.score! * 100)),
          unit: "points",
          atLeast: 95,
        });
      }
    }
    return figures;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Codes and drafts are others in every run. */
const nameOf = (path: string) => path.replace(/^\/v\/.*/, "/v/CODE").replace(/[\da-f-]{36}/, "DRAFT");
