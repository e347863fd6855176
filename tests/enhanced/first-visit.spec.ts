import { expect, test } from "../support/journey.ts";

/** What a browser gets that comes for the first time, as against one that has been here. */

test("styles come within the first page, and are there for the next", async ({ page, signInAs }) => {
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

test("a page with a sheet of its own brings no others, nor says that it did", async ({ page, signInAs }) => {
  await signInAs();
  await page.context().clearCookies({ name: "styles" });
  const answer = (await page.goto("/v"))!;
  expect(await answer.text()).not.toContain("<style");
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("styles");
});

test("a page names its scripts only once it can be shown", async ({ page, signInAs }) => {
  await signInAs();
  const html = await (await page.goto("/documents/list"))!.text();
  const head = html.slice(0, html.indexOf("</head>"));
  expect(head).not.toContain("modulepreload");
  await expect(page.locator("head link[rel=modulepreload]").nth(3)).toBeAttached();
});
