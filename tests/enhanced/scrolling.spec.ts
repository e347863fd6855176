import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { chooseType, next, prev, step } from "../support/wizard.ts";

test.use({ viewport: { width: 390, height: 600 } });

test.beforeEach(({ signInAs }) => signInAs());

const scrolled = (page: Page) => page.evaluate(() => scrollY);

test("each step of the wizard begins at its top, in both directions", async ({ page }) => {
  await chooseType(page);
  await expect.poll(() => scrolled(page)).toBe(0);
  await prev(page);
  await step(page, "Type");
  await expect.poll(() => scrolled(page)).toBe(0);
  await expect(page.getByRole("main")).toBeFocused();
});

for (const { path, link, button } of [
  { path: "/users/list", link: "Daniel Webb", button: "Update user" },
  { path: "/branches/list", link: "Preston", button: "Update branch" },
  { path: "/profile", link: "Edit profile", button: "Update" },
  { path: "/users/roles", link: "Edit Accountant", button: "Update access group" },
  { path: "/documents/list", link: "Warehouse lease, unit 14", button: "Save changes" },
]) {
  test(`what follows “${link}” begins at its top`, async ({ page }) => {
    await page.goto(path);
    await page.getByRole("link", { name: link, exact: true }).click();
    // A narrow row is the way to its record, whose page has the way to the form.
    if (path.endsWith("/list")) {
      await page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
    }
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page.locator(".notice-toast")).toBeVisible();
    await expect.poll(() => scrolled(page)).toBe(0);
  });
}

test("a form that is refused again for the same reasons leads to them again", async ({ page }) => {
  await chooseType(page);
  for (const _ of [1, 2]) {
    await next(page);
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(page.getByRole("alert")).toBeInViewport();
    await page.getByLabel("Document name").focus();
  }
});

test("who types before a refused form's page has come keeps the focus", async ({ page }) => {
  await page.goto("/branches/profile?edit");
  let send = () => {};
  const sending = new Promise<void>((resolve) => (send = resolve));
  await page.route(/profile\.data/, async (route) => {
    if (route.request().method() === "GET") await sending;
    await route.continue();
  });
  await page.getByLabel("Email").fill("office");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.getByLabel("Email").focus();
  send();
  await expect(page.getByText("Loading …")).toHaveCount(0);
  await expect(page.getByLabel("Email")).toBeFocused();
});

test("Escape closes the navigation, and returns focus to the control that opened it", async ({ page }) => {
  // What scripts add once a page is used may come late.
  await page.route(/\/interaction-/, () => {});
  await page.goto("/documents/list");
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  const archive = page.getByRole("link", { name: "Archive" });
  await archive.focus();
  await page.keyboard.press("Escape");
  await expect(archive).toBeHidden();
  await expect(menu).toBeFocused();
});
