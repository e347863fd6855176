import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { holdBack, untilFilled, untilFiltersAreDropped } from "../support/leaving.ts";

test.beforeEach(({ signInAs }) => signInAs());

/** Filters the list of documents by a name; returns what lets the reply through. */
async function filterSlowly(page: Page) {
  await page.goto("/documents/list");
  await page.getByLabel("Name").fill("unit 14");
  await untilFiltersAreDropped(page);
  const { release } = await holdBack(page, /\/documents\/list\.data/);
  await page.getByLabel("Name").press("Enter");
  return release;
}

test("a filter that is typed while the list is loading stays, with the focus", async ({ page }) => {
  const release = await filterSlowly(page);
  await page.getByLabel("Number", { exact: true }).click();
  await page.keyboard.type("NM");
  release();
  await expect(page.getByText("1 - 1 of 1")).toBeVisible();
  await expect(page.getByLabel("Number", { exact: true })).toHaveValue("NM");
  await expect(page.getByLabel("Number", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveValue("unit 14");
});

test("a filter that is typed while the list is loading does not come into another page's", async ({ page }) => {
  const release = await filterSlowly(page);
  await expect(page.getByText("Loading …").first()).toBeVisible();
  await page.getByLabel("Name").fill("unit 15");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Users list" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Users");
  await untilFilled(page);
  await expect(page.getByLabel("Name")).toHaveValue("");
  release();
});
