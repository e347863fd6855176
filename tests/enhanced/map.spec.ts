import { createServer } from "node:http";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test as base } from "../support/journey.ts";
import { portOf } from "../support/other-provider.ts";
import { picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** A server whose maps have tiles, from another server. */
const test = base.extend<object, { server: TestServer }>({
  server: [
    async ({}, use) => {
      const { buffer: tile } = await picture("tile.png");
      const tiles = createServer((_, response) => response.setHeader("content-type", "image/png").end(tile));
      await new Promise<void>((resolve) => tiles.listen(0, "localhost", resolve));
      const server = await startServer({
        from: sampleData,
        env: { TILE_URL: `http://localhost:${portOf(tiles)}/{z}/{x}/{y}.png` },
      });
      await use(server);
      await server.stop();
      tiles.close();
    },
    { scope: "worker" },
  ],
});

test.beforeEach(({ signInAs }) => signInAs());

const theMap = (page: Page) => page.getByRole("group", { name: "Where documents were scanned" });

test("the live map replaces the drawn one, with tiles and the same markers", async ({ page }) => {
  const tile = page.waitForResponse(/\/\d+\/\d+\/\d+\.png$/);
  await page.goto("/map");
  await expect(theMap(page).getByRole("button", { name: /scans/ }).first()).toBeVisible();
  expect((await tile).status()).toBe(200);
  await expect(page.getByRole("link", { name: "© OpenStreetMap contributors" })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
});

test("a marker opens with the keyboard: it zooms in, then shows the scan", async ({ page }) => {
  await page.goto("/map?kind=suspicions&branch=Manchester+Central");
  const signs = theMap(page).getByRole("button", { name: /scan/i });
  await expect(signs.first()).toBeVisible();
  const single = theMap(page).getByRole("button", { name: /^A suspicious scan/ });
  while ((await single.count()) === 0) {
    const before = await signs.count();
    await signs.first().press("Enter");
    await expect.poll(async () => (await single.count()) > 0 || (await signs.count()) !== before).toBe(true);
  }
  await single.first().press("Enter");
  const alert = theMap(page).getByRole("link", { name: "Alert" });
  await expect(alert).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(alert).toHaveCount(0);
  await expect(theMap(page)).toBeFocused();
  await single.first().press(" ");
  await expect(alert).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(alert).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("group", { name: "Where it was scanned" })).toBeVisible();
});

test("another search shows other scans on the same map", async ({ page }) => {
  await page.goto("/map");
  await expect(theMap(page).getByRole("button", { name: /scans/ }).first()).toBeVisible();
  await page.getByLabel("Document number").fill("no such number");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(theMap(page).getByRole("button", { name: /scan/ })).toHaveCount(0);
});

test("scans grouped by cell are requested again for the visible area", async ({ page }) => {
  const asked: string[] = [];
  await page.route("**/map/points?*", (route) => {
    asked.push(new URL(route.request().url()).searchParams.get("bbox") ?? "");
    const bounds = { west: -2.3, south: 53.4, east: -2.2, north: 53.5 };
    const cell = { latitude: 53.45, longitude: -2.25, scans: 20_000, suspicions: 3, bounds };
    return route.fulfill({ json: { points: [], cells: [cell] } });
  });
  await page.goto("/map");
  const sign = theMap(page).getByRole("button", { name: "20,000 scans, 3 of them suspicious" });
  await expect(sign).toHaveText("20k");
  await sign.click();
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[0]).toBe("");
  expect(asked[1]!.split(",").map(Number)).toHaveLength(4);
});

test("moving a bounded map refetches the new area", async ({ page }) => {
  const asked: string[] = [];
  await page.route("**/map/points?*", (route) => {
    asked.push(new URL(route.request().url()).searchParams.get("bbox") ?? "");
    const bounds = { west: -2.3, south: 53.4, east: -2.2, north: 53.5 };
    const cell = { latitude: 53.45, longitude: -2.25, scans: 20_000, suspicions: 0, bounds };
    const point = { latitude: 53.45, longitude: -2.25, accuracy: null, suspicion: false, text: "", links: [] };
    const isFirst = asked.length === 1;
    return route.fulfill({
      json: isFirst ? { points: [], cells: [cell] } : { points: [{ ...point, title: `${asked.length}` }], cells: [] },
    });
  });
  await page.goto("/map");
  await theMap(page).getByRole("button", { name: "20,000 scans" }).press("Enter");
  await expect(theMap(page).getByRole("button", { name: "A scan: 2" })).toBeVisible();
  await theMap(page).press("ArrowLeft");
  await expect(theMap(page).getByRole("button", { name: "A scan: 3" })).toBeVisible();
});

test("without tiles the scans stay and the page says so; without scans too", async ({ page }) => {
  await page.route(/\/\d+\/\d+\/\d+\.png$/, (route) => route.fulfill({ status: 404 }));
  await page.goto("/map");
  await expect(page.getByText("The background of the map can’t be loaded")).toBeVisible();
  await expect(theMap(page).getByRole("button", { name: /scans/ }).first()).toBeVisible();
  await page.route("**/map/points?*", (route) => route.fulfill({ status: 502, body: "" }));
  await page.reload();
  await expect(page.getByText("The scans can’t be shown on the map at the moment")).toBeVisible();
  await expect(page.getByRole("table", { name: "Scans on the map" })).toBeVisible();
});

test("the drawn map stays when the live map's script fails to load", async ({ page }) => {
  await page.route("**/live-map-*.js", (route) => route.fulfill({ status: 404 }));
  const asked = page.waitForResponse("**/live-map-*.js");
  await page.goto("/map");
  await asked;
  await expect(page.getByRole("group", { name: "Where documents were scanned" })).toBeVisible();
  await page.getByRole("group", { name: "Where documents were scanned" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/bbox=/);
});
