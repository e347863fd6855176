import type { Page } from "@playwright/test";
import { signInClient } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
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

test("the styles within a page are all that it needs", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/dashboard");
  const paths = ["/dashboard", "/documents/list", "/documents/1", "/documents/new", "/alerts", "/users/group", "/help"];
  for (const path of ["/login", ...paths]) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 1200 });
      await page.goto(path);
      const usual = await pictureOf(page);
      await page.context().clearCookies({ name: "styles" });
      await page.route(/\/app-.*\.css$/, (route) => route.fulfill({ contentType: "text/css", body: "" }));
      const first = await (await page.goto(path))!.text();
      expect(first).toContain("<style nonce=");
      expect((await pictureOf(page)).equals(usual), `${path} at ${width}`).toBe(true);
      await page.unrouteAll();
    }
  }
});

/** A screenshot once the page's images are drawn and two in a row are equal. */
async function pictureOf(page: Page): Promise<Buffer> {
  // A document's pages are loaded once they are in view.
  await page.waitForFunction(() =>
    [...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight),
  );
  await page.evaluate(() => Promise.all([...document.images].filter((one) => one.complete).map((one) => one.decode())));
  // Has Chromium draw everything anew: what moved by a part of a pixel while it loaded keeps its old edges otherwise.
  await page.evaluate(async () => {
    const { style } = document.body;
    for (const display of ["none", ""]) {
      style.display = display;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  });
  let last = await page.screenshot();
  for (;;) {
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
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
  // Once they have run, the links are gone.
  await page.addInitScript(() => {
    const note = () => {
      const { length } = document.querySelectorAll("head link[rel=modulepreload]");
      document.documentElement?.setAttribute("data-preloads", String(Math.max(length, preloads())));
    };
    const preloads = () => Number(document.documentElement.getAttribute("data-preloads") ?? 0);
    new MutationObserver(note).observe(document, { subtree: true, childList: true, attributeFilter: ["rel"] });
  });
  const html = await (await page.goto("/documents/list"))!.text();
  const head = html.slice(0, html.indexOf("</head>"));
  expect(head).not.toContain("modulepreload");
  await expect(page.locator("html")).toHaveAttribute("data-preloads", /^([4-9]|\d\d)$/);
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
