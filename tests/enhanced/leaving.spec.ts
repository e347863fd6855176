import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { main, notice } from "../support/page-parts.ts";
import { holdBack, untilFiltersAreDropped, untilGuarded } from "../support/leaving.ts";

/** What scripts add to forms and to the way between pages. */

test.beforeEach(({ signInAs }) => signInAs());

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });

/** Types into a form, and waits until the page asks before it is left. */
async function edit(page: Page, label: string, text: string) {
  await page.getByLabel(label).fill(text);
  await untilGuarded(page);
}

test("leaving an edited form asks first, and staying loses nothing", async ({ page }) => {
  await page.goto("/users/edit/3");
  await edit(page, "City", "Leyland");
  await navigation(page).getByRole("link", { name: "Home" }).click();
  await expect(question(page)).toBeVisible();
  await expect(question(page).getByRole("button", { name: "Stay" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question(page)).toHaveCount(0);
  await expect(page.getByLabel("City")).toHaveValue("Leyland");
  await navigation(page).getByRole("link", { name: "Home" }).click();
  await question(page).getByRole("button", { name: "Leave without saving" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
});

test("Back and the way back ask as well; Cancel and saving do not", async ({ page }) => {
  await page.goto("/branches/profile");
  await page.getByRole("link", { name: "Edit profile" }).click();
  await page.getByLabel("City").fill("Salford");
  await page.goBack();
  await question(page).getByRole("button", { name: "Stay" }).click();
  await main(page).getByRole("link", { name: "My profile" }).click();
  await question(page).getByRole("button", { name: "Stay" }).click();
  await expect(page.getByLabel("City")).toHaveValue("Salford");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Company profile: changes saved")).toBeVisible();
  await page.getByRole("link", { name: "Edit profile" }).click();
  await page.getByLabel("City").fill("Manchester");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Company profile: changes saved")).toBeVisible();
  await page.getByRole("link", { name: "Edit profile" }).click();
  await page.getByLabel("City").fill("Elsewhere");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Company profile");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a form that was left by Back is as it was after Forward", async ({ page }) => {
  await page.goto("/branches/list");
  await main(page).getByRole("link", { name: "Add new branch" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add new branch");
  await edit(page, "Name", "Half a branch");
  await page.goBack();
  await question(page).getByRole("button", { name: "Leave without saving" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Branches");
  await page.goForward();
  await expect(page.getByLabel("Name")).toHaveValue("Half a branch");
});

test("a refused form that was not sent again is not left unasked", async ({ page }) => {
  await page.goto("/branches/new");
  await edit(page, "Name", "Nowhere");
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  // The messages come before the page's data, whose arrival would close the question.
  await expect(page.getByText("Loading …")).toHaveCount(0);
  await navigation(page).getByRole("link", { name: "Help" }).click();
  await question(page).getByRole("button", { name: "Leave without saving" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
});

test("a date is chosen in the browser's calendar, beside the box where it is typed", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByLabel("Date").press("Shift");
  await untilFiltersAreDropped(page);
  await page.locator(".calendar input").first().fill("2026-11-19");
  await expect(page.getByLabel("Date")).toHaveValue("19-11-2026");
});

test("a page that is slow to come says so", async ({ page }) => {
  await page.goto("/dashboard");
  const { release } = await holdBack(page, /\/branches\/list\.data/);
  await navigation(page).getByRole("link", { name: "List of branches" }).click();
  await expect(page.getByText("Loading …")).toBeVisible();
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Branches");
  await expect(page.getByText("Loading …")).toHaveCount(0);
});

test("the tariffs have a loading row until they are there", async ({ page }) => {
  await page.goto("/dashboard");
  const { release } = await holdBack(page, /\/tariffs\.data\?_routes=.*tariffs/);
  await page.getByRole("banner").getByRole("link", { name: "SilverState 1" }).click();
  await expect(page.getByRole("table", { name: "Tariffs" }).getByRole("rowheader")).toHaveText("Loading …");
  await expect(page.getByRole("columnheader")).toHaveCount(8);
  release();
  await expect(page.getByRole("rowheader")).toHaveCount(8);
});
