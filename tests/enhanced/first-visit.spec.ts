import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { todaysShare } from "../support/daily-shares.ts";

/** What a browser gets that comes for the first time, as against one that has been here. */

test("the first page carries its styles inline, later ones use the cached sheet", async ({ page, signInAs }) => {
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

test("the inline styles of a page are all that it needs", async ({ page, signInAs }) => {
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
      expect((await pictureOf(page)).equals(usual), `${path} at ${width}`).toBe(true);
      await page.unrouteAll();
    }
  }
});

/** A picture of the page once its own pictures are drawn and nothing moves any more. */
async function pictureOf(page: Page): Promise<Buffer> {
  // Those of a document's pages come once they are seen.
  await page.waitForFunction(() =>
    [...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight),
  );
  await page.evaluate(() => Promise.all([...document.images].filter((one) => one.complete).map((one) => one.decode())));
  let last = await page.screenshot();
  for (;;) {
    const next = await page.screenshot();
    if (next.equals(last)) return next;
    last = next;
  }
}

test("a page with its own style sheet carries no inline styles and sets no cookie for them", async ({
  page,
  signInAs,
}) => {
  await signInAs();
  await page.context().clearCookies({ name: "styles" });
  const answer = (await page.goto("/v"))!;
  expect(await answer.text()).not.toContain("<style");
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("styles");
});

test("a page names its scripts after its content", async ({ page, signInAs }) => {
  await signInAs();
  const html = await (await page.goto("/documents/list"))!.text();
  const head = html.slice(0, html.indexOf("</head>"));
  expect(head).not.toContain("modulepreload");
  await expect(page.locator("head link[rel=modulepreload]").nth(3)).toBeAttached();
});
