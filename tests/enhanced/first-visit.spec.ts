import { writeFile } from "node:fs/promises";
import type { Page, TestInfo } from "@playwright/test";
import { signInClient } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { todaysShare } from "../support/daily-shares.ts";
import { startSample } from "../support/sample-server.ts";

/** What a browser gets at its first visit, and at later ones (`app/first-paint`). */

test("styles are within the first page, and cached for the next", async ({ page, signInAs }) => {
  await signInAs();
  await page.context().clearCookies({ name: "styles" });
  const first = await (await page.goto("/documents/list"))!.text();
  expect(first).toContain("<style nonce=");
  await expect(page.getByRole("rowheader").first()).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("font-family", /^"?Hanken Grotesk/);
  const next = await (await page.goto("/users/list"))!.text();
  expect(next).not.toContain("<style");
  await expect(page.locator("body")).toHaveCSS("font-family", /^"?Hanken Grotesk/);
});

test("the styles within a page are all that it needs", async ({ page, signInAs }, testInfo) => {
  await signInAs();
  await page.goto("/dashboard");
  const paths = ["/dashboard", "/documents/list", "/documents/1", "/documents/new", "/alerts", "/users/group", "/help"];
  for (const path of ["/login", ...paths]) {
    for (const width of todaysShare([1280, 390], 2)) {
      await page.setViewportSize({ width, height: 1200 });
      await page.goto(path);
      const usual = await pictureOf(page);
      await page.context().clearCookies({ name: "styles" });
      await page.route(/\/app-.*\.css$/, (route) => route.fulfill({ contentType: "text/css", body: "" }));
      const first = await (await page.goto(path))!.text();
      expect(first).toContain("<style nonce=");
      const firstVisit = await pictureOf(page);
      const isSame = firstVisit.equals(usual);
      if (!isSame) await attachPictures(testInfo, { usual, "first visit": firstVisit });
      expect(isSame, `${path} at ${width}`).toBe(true);
      await page.unrouteAll();
    }
  }
});

async function attachPictures(testInfo: TestInfo, pictures: Record<string, Buffer>) {
  for (const [name, picture] of Object.entries(pictures)) {
    const path = testInfo.outputPath(`${name}.png`);
    await writeFile(path, picture);
    await testInfo.attach(name, { path, contentType: "image/png" });
  }
}

/** A screenshot once the page's font and images are there and it is drawn anew with them, and two in a row are equal. */
async function pictureOf(page: Page): Promise<Buffer> {
  // A document's pages are loaded once they are in view.
  await page.waitForFunction(() =>
    [...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight),
  );
  await page.evaluate(() => Promise.all([...document.images].filter((one) => one.complete).map((one) => one.decode())));
  await page.evaluate(() => document.fonts.load("1rem 'Hanken Grotesk'"));
  await redraw(page);
  let last = await page.screenshot();
  for (;;) {
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
}

/**
 * What comes after the first paint, such as the calendar's mask, is drawn over it in a part whose edges differ by a shade
 * from those of a page drawn at once.
 */
async function redraw(page: Page) {
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: width / 2, height: height / 2 });
  await page.screenshot();
  await page.setViewportSize({ width, height });
}

test("a page with a style sheet of its own gets no other styles and no cookie", async ({ page, signInAs }) => {
  await signInAs();
  await page.context().clearCookies({ name: "styles" });
  const answer = (await page.goto("/v"))!;
  expect(await answer.text()).not.toContain("<style");
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("styles");
});

test("scripts are preloaded after the first paint", async ({ page, signInAs }) => {
  await signInAs();
  const html = await (await page.goto("/documents/list"))!.text();
  const head = html.slice(0, html.indexOf("</head>"));
  expect(head).not.toContain("modulepreload");
  await expect(page.locator("head link[rel=modulepreload]").nth(3)).toBeAttached();
});

/** A row's name as it is written in the data that scripts begin with. */
const inData = String.raw`\"Warehouse lease, unit 14\"`;

test("the data that hydrates a list lacks the rows of its table", async ({ page, signInAs }) => {
  await signInAs();
  const html = await (await page.goto("/documents/list"))!.text();
  expect(html).toContain("Warehouse lease, unit 14");
  expect(html).not.toContain(inData);
});

test("with FIRST_PAINT=off a first visit gets React Router's plain output", async () => {
  const server = await startSample("sqlite-disk", { FIRST_PAINT: "off" });
  const { cookie } = await signInClient(server.url);
  const answer = await fetch(`${server.url}/documents/list`, { headers: { cookie, "sec-fetch-dest": "document" } });
  const html = await answer.text();
  await server.stop();
  expect(html).toContain('<link rel="modulepreload"');
  expect(html).toContain(inData);
  for (const trick of ["<style", "late-script", "page-end"]) expect(html).not.toContain(trick);
  expect(answer.headers.getSetCookie().join()).not.toContain("styles=");
});
