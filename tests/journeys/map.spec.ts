import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { issued, scanAt } from "../support/visitor.ts";

test.beforeEach(({ signInAs }) => signInAs());

const theMap = (page: Page) => page.getByRole("group", { name: "Where documents were scanned" });
const rowsOf = (page: Page) => page.getByRole("table", { name: "Scans on the map" }).getByRole("rowheader");
const countOf = async (page: Page) =>
  Number(/of ([\d,]+)/.exec(await page.getByRole("main").innerText())![1]!.replace(",", ""));

async function search(page: Page, fill: () => Promise<unknown>) {
  await fill();
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
}

test("the map shows where documents were scanned, and a table has the same scans", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Map" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Map");
  await expect(page.getByText(/^[\d,]+ scans on the map\./)).toBeVisible();
  // How many groups there are depends on what other tests scan elsewhere.
  expect(await theMap(page).getByRole("link").count()).toBeGreaterThan(1);
  for (const name of ["Document number", "Scanned", "Branch", "Index", "Where", "Kind", "Actions"]) {
    await expect(page.getByRole("columnheader", { name, exact: true })).toBeVisible();
  }
  await expect(rowsOf(page)).toHaveCount(5);
  await expect(page.getByRole("cell", { name: /(^|\s)-?\d+(\.\d+)?, -?\d+(\.\d+)?( Doubtful)?$/ })).toHaveCount(5);
});

test("scans are found by number, dates, post index, branch and kind", async ({ page }) => {
  await page.goto("/map");
  const all = await countOf(page);
  await search(page, () => page.getByLabel("Scans", { exact: true }).uncheck());
  await expect(page.getByRole("cell", { name: "Suspicion" }).first()).toBeVisible();
  await expect(page.getByRole("cell", { name: "Scan", exact: true })).toHaveCount(0);
  expect(await countOf(page)).toBeLessThan(all);
  await expect(page.getByLabel("Scans", { exact: true })).not.toBeChecked();
  await search(page, async () => {
    await page.getByLabel("Scans", { exact: true }).check();
    await page.getByLabel("Suspicions").uncheck();
  });
  await expect(page.getByRole("cell", { name: "Suspicion" })).toHaveCount(0);
  await search(page, () => page.getByLabel("Scans", { exact: true }).uncheck());
  await expect(page.getByText("Choose Scans, Suspicions or both.")).toBeVisible();
  await expect(page.getByText("0 scans on the map.")).toBeVisible();
  for (const name of ["Scans", "Suspicions"]) await expect(page.getByLabel(name, { exact: true })).not.toBeChecked();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByLabel("Suspicions")).toBeChecked();
  await search(page, () => page.getByLabel("Branch", { exact: true }).selectOption("Preston"));
  await expect(page.getByRole("cell", { name: "Preston" })).toHaveCount(5);
  await search(page, async () => {
    await unfold(page.getByRole("search"));
    await page.getByLabel("Post index").fill("m2");
  });
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(theMap(page).getByRole("link")).toHaveCount(0);
  await page.getByRole("link", { name: "Clear the filters" }).click();
  // Beside the number may be which copy it is.
  const number = (await rowsOf(page).first().innerText()).trim().replace(/\s*Copy \d+$/, "");
  await search(page, () => page.getByLabel("Document number").fill(number.slice(-4).toLowerCase()));
  await expect.poll(() => countOf(page)).toBeLessThan(all);
  await expect(rowsOf(page).first()).toContainText(number);
  await search(page, async () => {
    await page.getByLabel("From").fill("01-01-2020");
    await page.getByLabel("To", { exact: true }).fill("02-01-2020");
  });
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("a sign zooms in to its scans, and a link leads back to the whole map", async ({ page, server, playwright }) => {
  // With those in England they are on a map that begins at Fiji.
  await scanAt(await playwright.request.newContext(), server.url, (await issued(server.url)).code, [
    { latitude: -18.1416, longitude: 178.4419 },
    { latitude: -13.8333, longitude: -171.7667 },
  ]);
  await page.goto("/map");
  const all = await countOf(page);
  const sign = theMap(page).getByRole("link", { name: /scans/ }).first();
  const [, count] = /^([\d,]+) scans/.exec((await sign.getAttribute("aria-label"))!)!;
  await sign.click();
  await expect(page).toHaveURL(/bbox=/);
  // Scans near the sign's are in view as well.
  await expect(page.getByRole("link", { name: "Show the whole map" })).toBeVisible();
  const near = await countOf(page);
  expect(near).toBeGreaterThanOrEqual(Number(count!.replace(",", "")));
  expect(near).toBeLessThan(all);
  await page.getByRole("link", { name: "Show the whole map" }).click();
  await expect(page).not.toHaveURL(/bbox=/);
  await expect(page.getByText(`of ${all.toLocaleString("en-GB")}`)).toBeVisible();
});

test("an invalid bbox is ignored, and one without scans can be cleared", async ({ page }) => {
  for (const bbox of ["here", "-1e300,0,1e300,1", "3,2,1,0", ",,1,1"]) {
    await page.goto(`/map?bbox=${bbox}&date_from=soon&kind=both&page=99999`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Map");
  }
  await expect(page.getByRole("textbox", { name: "From" })).toHaveAccessibleDescription(/Enter day, month and year/);
  await page.goto("/map?date_from=22-11-2026&date_to=2026-11-20");
  await expect(page.getByRole("textbox", { name: "To" })).toHaveAccessibleDescription(/before the first date/);
  await page.goto("/map?bbox=0,0,1,1");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await expect(rowsOf(page)).toHaveCount(5);
});

test("a suspicious scan leads to its alert, and the alert to its place on the map", async ({ page }) => {
  await page.goto("/map?kind=suspicions");
  await page
    .getByRole("link", { name: /^Alert on/ })
    .first()
    .click();
  await expect(page.getByRole("link", { name: "Back to the list of alerts" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Where it was scanned" })).toBeVisible();
  await page.getByRole("link", { name: "Open on the map" }).click();
  await expect(page).toHaveURL(/\/map\?bbox=/);
  await expect(page.getByRole("cell", { name: "Suspicion" }).first()).toBeVisible();
});

test("users without write access to alerts see places to about a kilometre", async ({ page, context, signInAs }) => {
  await context.clearCookies();
  await signInAs("priya@hallam.example");
  await page.goto("/map");
  await expect(page.getByRole("cell", { name: /(^|\s)-?\d+(\.\d{1,2})?, -?\d+(\.\d{1,2})?( Doubtful)?$/ })).toHaveCount(
    5,
  );
  await expect(page.getByText("Positions are rounded to about a kilometre")).toBeVisible();
});

test("a made-up place is removed from the map and its alert, and its scan stays", async ({ page }) => {
  await page.goto("/map?kind=suspicions");
  const all = await countOf(page);
  const alert = await page
    .getByRole("link", { name: /^Alert on/ })
    .first()
    .getAttribute("href");
  const dialog = page.getByRole("dialog", { name: "Remove place" });
  await unfold(page.getByRole("table"));
  await page
    .getByRole("link", { name: /^Remove place of the scan of/ })
    .first()
    .click();
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await unfold(page.getByRole("table"));
  await page
    .getByRole("link", { name: /^Remove place of the scan of/ })
    .first()
    .click();
  await dialog.getByRole("button", { name: "Remove place" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The place was removed" })).toBeVisible();
  await expect(page).toHaveURL(/\/map\?kind=suspicions$/);
  await expect.poll(() => countOf(page)).toBe(all - 1);
  await page.goto(alert!);
  const behind = page.getByRole("table", { name: "Scans" });
  await expect(behind.getByRole("row", { name: "Not shared" })).toHaveCount(1);
  // The other scan behind it has its place; with the rest of its network's it goes as well.
  await unfold(behind);
  await behind
    .getByRole("link", { name: /^Remove place/ })
    .first()
    .click();
  await dialog.getByLabel("Also the other places from the same network on that day").check();
  await dialog.getByRole("button", { name: "Remove place" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The places were removed" })).toBeVisible();
  await expect(behind.getByRole("row", { name: "Not shared" })).toHaveCount(2);
});

test("users without write access to alerts can't remove places", async ({ page, context, signInAs }) => {
  await page.goto("/map");
  const link = page.getByRole("link", { name: /^Remove place/, includeHidden: true });
  await expect(link).toHaveCount(5);
  const removing = await link.first().getAttribute("href");
  await context.clearCookies();
  await signInAs("priya@hallam.example");
  await page.goto("/map");
  await expect(link).toHaveCount(0);
  await page.goto(removing!);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("scans on both sides of the date line are near each other on the map", async ({ page, server, playwright }) => {
  const { code, number } = await issued(server.url);
  const visitor = await playwright.request.newContext();
  await scanAt(visitor, server.url, code, [
    { latitude: -16.85, longitude: 179.98 },
    { latitude: -16.8, longitude: -179.92 },
    { latitude: -16.7, longitude: 179.95 },
    { latitude: -16.9, longitude: -179.97 },
  ]);
  await page.goto(`/map?number=${number}`);
  await expect(page.getByText("4 scans on the map.")).toBeVisible();
  await expect(theMap(page).getByText("180°", { exact: true })).toBeVisible();
  await expect(theMap(page).getByText("0°", { exact: true })).toHaveCount(0);
  expect(await theMap(page).getByRole("link").count()).toBeGreaterThan(2);
});
