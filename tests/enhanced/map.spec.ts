import { createServer } from "node:http";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page, Route } from "@playwright/test";
import { expect, test as base } from "../support/journey.ts";
import { portOf } from "../support/other-provider.ts";
import { picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { issued, scanAt } from "../support/visitor.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** A server whose maps have tiles from a server of their own. */
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
const tileAddress = /\/\d+\/\d+\/\d+\.png$/;
const coasts = (page: Page) => theMap(page).locator(".map-land");

test("the live map replaces the drawn one, with tiles and the same signs", async ({ page }) => {
  const tile = page.waitForResponse(tileAddress);
  await page.goto("/map");
  await expect(theMap(page).getByRole("button", { name: /scans/ }).first()).toBeVisible();
  expect((await tile).status()).toBe(200);
  await expect(page.getByRole("link", { name: "© OpenStreetMap contributors" })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
});

test("the keyboard opens a sign: it zooms in, then shows the scan's details", async ({ page }) => {
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

test("scans on both sides of the date line are shown on one side", async ({ page, server, playwright }) => {
  const { code, number } = await issued(server.url);
  const visitor = await playwright.request.newContext();
  const places = [
    { latitude: -16.85, longitude: 179.98 },
    { latitude: -16.8, longitude: -179.92 },
    { latitude: -16.7, longitude: 179.95 },
    { latitude: -16.9, longitude: -179.97 },
  ];
  await scanAt(visitor, server.url, code, places);
  await page.goto(`/map?number=${number}`);
  const signs = theMap(page).getByRole("button", { name: /^(A scan: |\d+ scans)/ });
  await expect.poll(() => signs.count()).toBeGreaterThan(2);
  const shown = (await theMap(page).boundingBox())!;
  const centers = await Promise.all((await signs.all()).map(async (sign) => centerOf((await sign.boundingBox())!)));
  const isIn = ({ x, y, width, height }: typeof shown, [left, top]: number[]) =>
    left! > x && left! < x + width && top! > y && top! < y + height;
  expect(centers.filter((center) => !isIn(shown, center))).toEqual([]);
});

test("focus moves to the map when the sign that had it is replaced", async ({ page }) => {
  await page.goto("/map");
  const sign = await theMap(page)
    .getByRole("button", { name: /^\d+ scans/ })
    .first()
    .elementHandle();
  await sign!.press("Enter");
  await sign!.waitForElementState("hidden");
  await expect(theMap(page)).toBeFocused();
});

const scan = { latitude: 53.45, longitude: -2.25, accuracy: 40, suspicion: false, title: "A", text: "", links: [] };

test("closing a popup returns focus to the map, also if it fades out", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.route("**/map/points?*", (route) => route.fulfill({ json: { points: [scan], cells: [] } }));
  await page.goto("/map");
  await theMap(page).getByRole("button", { name: "A scan: A" }).press("Enter");
  await expect(theMap(page).locator(".map-popup")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(theMap(page).locator(".leaflet-popup")).toHaveCount(0);
  await expect(theMap(page)).toBeFocused();
  await expect(theMap(page).locator(".map-around")).toBeVisible();
});

test("Escape pressed the moment that a popup opens returns focus to the map", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.route("**/map/points?*", (route) => route.fulfill({ json: { points: [scan], cells: [] } }));
  await page.goto("/map");
  const sign = theMap(page).getByRole("button", { name: "A scan: A" });
  await expect(sign).toBeVisible();
  await page.evaluate(() => {
    const opened = new MutationObserver(() => {
      if (!document.querySelector(".map-popup")) return;
      opened.disconnect();
      document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    });
    opened.observe(document.body, { subtree: true, childList: true });
  });
  await sign.press("Enter");
  await expect(theMap(page).locator(".map-popup")).toHaveCount(0);
  await expect(theMap(page)).toBeFocused();
});

test("another search shows other scans on the same map", async ({ page }) => {
  await page.goto("/map");
  await expect(theMap(page).getByRole("button", { name: /scans/ }).first()).toBeVisible();
  await page.getByLabel("Document number").fill("no such number");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(theMap(page).getByRole("button", { name: /scan/ })).toHaveCount(0);
});

test("clustered scans are fetched again for the part in view", async ({ page }) => {
  const requested: string[] = [];
  await page.route("**/map/points?*", (route) => {
    requested.push(new URL(route.request().url()).searchParams.get("bbox") ?? "");
    const bounds = { west: -2.3, south: 53.4, east: -2.2, north: 53.5 };
    const cell = { latitude: 53.45, longitude: -2.25, scans: 20_000, suspicions: 3, bounds };
    return route.fulfill({ json: { points: [], cells: [cell] } });
  });
  await page.goto("/map");
  const sign = theMap(page).getByRole("button", { name: "20,000 scans, 3 of them suspicious" });
  await expect(sign).toHaveText("20k");
  await sign.click();
  await expect.poll(() => requested.length).toBe(2);
  expect(requested[0]).toBe("");
  expect(requested[1]!.split(",").map(Number)).toHaveLength(4);
});

test("moving a bounded map fetches the new area", async ({ page }) => {
  const requested: string[] = [];
  await page.route("**/map/points?*", (route) => {
    requested.push(new URL(route.request().url()).searchParams.get("bbox") ?? "");
    const bounds = { west: -2.3, south: 53.4, east: -2.2, north: 53.5 };
    const cell = { latitude: 53.45, longitude: -2.25, scans: 20_000, suspicions: 0, bounds };
    const point = { latitude: 53.45, longitude: -2.25, accuracy: null, suspicion: false, text: "", links: [] };
    const isFirst = requested.length === 1;
    return route.fulfill({
      json: isFirst
        ? { points: [], cells: [cell] }
        : { points: [{ ...point, title: `${requested.length}` }], cells: [] },
    });
  });
  await page.goto("/map");
  await theMap(page).getByRole("button", { name: "20,000 scans" }).press("Enter");
  await expect(theMap(page).getByRole("button", { name: "A scan: 2" })).toBeVisible();
  await theMap(page).press("ArrowLeft");
  await expect(theMap(page).getByRole("button", { name: "A scan: 3" })).toBeVisible();
});

for (const [failure, handle] of [
  ["fails", (route: Route) => route.fulfill({ status: 404 })],
  ["does not answer", () => undefined],
] as const) {
  test(`if the tile server ${failure}, the ground shows the coasts`, async ({ page }) => {
    await page.route(tileAddress, handle);
    const tile = page.waitForRequest(tileAddress);
    await page.goto("/map");
    await tile;
    await expect(coasts(page)).toBeVisible();
    await expect(theMap(page).locator(".leaflet-tile-loaded")).toHaveCount(0);
    await expect(theMap(page).getByRole("button", { name: /scans/ }).first()).toBeVisible();
  });
}

test("the coasts lie under the tiles, wherever the map is moved", async ({ page }) => {
  await page.goto("/map");
  await expect(theMap(page).locator(".leaflet-tile-loaded").first()).toBeVisible();
  const [ground, tiles] = await Promise.all(
    [coasts(page), theMap(page).locator(".leaflet-tile").first()].map((layer) =>
      layer.evaluate((element) => Number(getComputedStyle(element.closest(".leaflet-pane")!).zIndex)),
    ),
  );
  expect(ground).toBeLessThan(tiles!);
  const before = await coasts(page).getAttribute("d");
  await theMap(page).getByRole("button", { name: "Zoom out" }).press("Enter");
  await expect(coasts(page)).not.toHaveAttribute("d", before!);
});

test("the drawn map stays until the coasts are there", async ({ page }) => {
  const release = Promise.withResolvers<void>();
  await page.route("**/land-50m-*.json", async (route) => {
    await release.promise;
    await route.continue();
  });
  const script = page.waitForResponse("**/live-map.client-*.js");
  await page.goto("/map");
  await script;
  await expect(theMap(page).getByRole("link").first()).toBeVisible();
  await expect(coasts(page).first()).toBeVisible();
  release.resolve();
  await expect(theMap(page).getByRole("button", { name: /scans/ }).first()).toBeVisible();
  await expect(coasts(page)).toBeVisible();
});

test("if the scans can't be fetched, the page says so and its table has them", async ({ page }) => {
  await page.route("**/map/points?*", (route) => route.fulfill({ status: 502, body: "" }));
  await page.goto("/map");
  await expect(page.getByText("The scans can’t be shown on the map at the moment")).toBeVisible();
  await expect(page.getByRole("table", { name: "Scans on the map" })).toBeVisible();
});

for (const [part, address] of [
  ["script", "**/live-map.client-*.js"],
  ["coasts", "**/land-50m-*.json"],
] as const) {
  test(`without the map's ${part} the drawn map stays`, async ({ page }) => {
    await page.route(address, (route) => route.fulfill({ status: 404 }));
    const failed = page.waitForResponse(address);
    await page.goto("/map");
    await failed;
    await theMap(page).getByRole("link").first().click();
    await expect(page).toHaveURL(/bbox=/);
  });
}

type Box = { x: number; y: number; width: number; height: number };

const centerOf = ({ x, y, width, height }: Box) => [x + width / 2, y + height / 2];
