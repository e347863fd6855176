import type { Locator, Page } from "@playwright/test";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { asUpload, picture } from "../support/page-files.ts";

test.beforeEach(({ signInAs }) => signInAs());

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

type Box = { x: number; y: number; width: number; height: number };
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const boxesOf = (all: Locator) =>
  all.evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON() as Box));

test("a notice covers no control, and its place stays when it is gone", async ({ page }) => {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.goto("/users/list");
    await page.getByRole("link", { name: "Daniel Webb", exact: true }).click();
    await page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("button", { name: "Update user" }).click();
    const notice = page.locator(".notice-toast");
    await expect(notice).toBeVisible();
    const [place] = await boxesOf(notice);
    const controls = await boxesOf(page.locator(":is(a, button, input, select, label):visible"));
    expect(controls.filter((control) => overlap(control, place!))).toEqual([]);
    const heading = page.getByRole("heading", { level: 1 });
    const before = await heading.boundingBox();
    await expect(notice).toBeHidden({ timeout: 20_000 });
    expect(await heading.boundingBox()).toEqual(before);
  }
});

test("every tab is in sight on a telephone", async ({ page }) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/documents/1");
    const tabs = await boxesOf(page.getByRole("navigation", { name: "Properties" }).getByRole("link"));
    expect(tabs).toHaveLength(3);
    for (const { x, width: wide } of tabs) expect(x + wide).toBeLessThanOrEqual(width - 16);
  }
});

/** Whether an element's text stands in one line. */
const isOneLine = (element: Locator) =>
  element.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size === 1;
  });

test("wide screens break no word of a list, however long the words of other rows are", async ({ page, server }) => {
  const client = await signInClient(server.url);
  const name = uniqueName("Bartholomew Featherstonehaugh");
  await client.post("/users/new", {
    name,
    email: `${name.replace(/\W+/g, ".").toLowerCase()}@northamptonshire-distribution.example`,
    country: "United Kingdom",
    city: "Wolverhampton",
    staff: "Accountant",
    role: "Senior compliance manager",
    intent: "save",
  });
  await page.goto("/users/list?per_page=50");
  for (const text of ["Wolverhampton", "Manchester", "Lancaster", "Liverpool", "helen@hallam.example", "M2 5DB"]) {
    expect.soft(await isOneLine(page.getByRole("main").getByText(text, { exact: true }).first()), text).toBe(true);
  }
  await page.goto("/documents/list?per_page=50");
  for (const row of (await page.getByRole("row").all()).slice(1)) {
    for (const nth of [3, 4]) expect.soft(await isOneLine(row.getByRole("cell").nth(nth))).toBe(true);
  }
});

test("cards of a telephone leave out what is empty, which is a dash in a table", async ({ page, server }) => {
  const client = await signInClient(server.url);
  const name = uniqueName("Nora Nowhere");
  await client.post("/users/new", { name, email: `nora${Date.now()}@hallam.example`, staff: "Accountant" });
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  const city = page.getByRole("row", { name }).locator("[data-label=City]");
  expect(await city.evaluate((cell) => getComputedStyle(cell, "::before").content)).toBe('"–"');
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(city).toBeHidden();
});

test("a document's actions stand in one row on a wide screen", async ({ page, server }) => {
  const client = await signInClient(server.url);
  const draft = await startDraft(client, uniqueName("To prolong"), {
    expire_type: "date",
    expire_date: "31-12-2030",
    has_prolongation: "1",
    prolongation: "1",
  });
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  await page.goto(await create(client, draft));
  const actions = await boxesOf(page.locator(".page-acts > *"));
  expect(actions.length).toBeGreaterThan(5);
  expect(new Set(actions.map(({ y }) => y)).size).toBe(1);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("signs on the map do not overlap, on a telephone neither", async ({ page }) => {
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/map");
      const signs = await circles(page);
      expect(signs.length).toBeGreaterThan(3);
      for (const [n, a] of signs.entries()) for (const b of signs.slice(n + 1)) expect(overlap(a, b)).toBe(false);
    }
  });
});

const circles = (page: Page) => boxesOf(page.locator(".map-drawn :is(.map-cluster, .map-dot, .map-pin)"));
