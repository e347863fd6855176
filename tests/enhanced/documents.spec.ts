import { expect, test } from "../support/journey.ts";
import { holdBack } from "../support/leaving.ts";

/** What scripts add to pages that work without them. */

test.beforeEach(({ signInAs }) => signInAs());

test("an overlay shows while the list loads, without a full page load", async ({ page }) => {
  await page.goto("/documents/list");
  await page.evaluate(() => ((globalThis as { marked?: boolean }).marked = true));
  const { release } = await holdBack(page, /\/list\.data\?/);
  await page.getByLabel("Name").fill("unit 14");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("region", { name: "Documents" }).getByText("Loading …")).toBeVisible();
  await expect(page.getByRole("region", { name: "Documents" })).toHaveAttribute("aria-busy", "true");
  release();
  await expect(page.getByRole("rowheader")).toHaveText(["Warehouse lease, unit 14"]);
  await expect(page.getByText("Loading …")).toHaveCount(0);
  expect(await page.evaluate(() => (globalThis as { marked?: boolean }).marked)).toBe(true);
});

test("a dialog is modal: focus starts on Cancel and stays inside, Escape and Back close it", async ({ page }) => {
  await page.goto("/documents/1");
  await page.getByRole("main").getByRole("link", { name: "Archive", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("link", { name: "Cancel" })).toBeFocused();
  expect(await dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
  for (let n = 0; n < 4; n++) await page.keyboard.press("Tab");
  expect(
    await page.evaluate(() => document.activeElement === document.body || !!document.activeElement?.closest("dialog")),
  ).toBe(true);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("link", { name: "Get QR" }).click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
});

test("the menu of a phone opens, and closes after a choice", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/dashboard");
  const archive = page.getByRole("link", { name: "Archive" });
  await expect(archive).toBeHidden();
  await page.getByText("Menu", { exact: true }).click();
  await archive.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Archive");
  await expect(archive).toBeHidden();
});

test("a row's links are followed without a full page load, in the first rows and in later ones", async ({ page }) => {
  await page.goto("/documents/list");
  await page.evaluate(() => ((globalThis as { marked?: boolean }).marked = true));
  // Before scripts have taken the page over, links load the next one anew.
  await page.waitForFunction(
    () =>
      (window as { __reactRouterDataRouter?: { state: { initialized: boolean } } }).__reactRouterDataRouter?.state
        .initialized,
  );
  const title = page.getByRole("heading", { level: 1 });
  const lease = page.getByRole("link", { name: "Warehouse lease, unit 14", exact: true });
  await lease.click();
  await expect(title).toHaveText("Warehouse lease, unit 14");
  await page.goBack();
  await expect(title).toHaveText("Documents");
  // These were read by scripts.
  await page.getByRole("link", { name: "View Warehouse lease, unit 14" }).press("Enter");
  await expect(title).toHaveText("Warehouse lease, unit 14");
  expect(await page.evaluate(() => (globalThis as { marked?: boolean }).marked)).toBe(true);
  await page.goBack();
  await expect(title).toHaveText("Documents");
  // What opens the new tab is the browser, if no script has taken the click: seen from outside of all scripts.
  const counterHandle = await page.evaluateHandle(() => {
    const counts = { clicks: 0, taken: 0 };
    addEventListener("click", (event) => {
      counts.clicks += 1;
      if (event.defaultPrevented) counts.taken += 1;
      event.preventDefault();
    });
    return counts;
  });
  await lease.click({ modifiers: ["ControlOrMeta"] });
  expect(await counterHandle.jsonValue()).toEqual({ clicks: 1, taken: 0 });
  await expect(title).toHaveText("Documents");
});

test("with Shift the rows between two boxes are ticked, and all of the page by one box", async ({ page }) => {
  await page.goto("/documents/list");
  const boxes = page.getByRole("checkbox", { name: /^Select / });
  const onPage = page.getByRole("checkbox", { name: "All on this page" });
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
  await expect(page.getByRole("status").getByText("3 documents selected")).toBeVisible();
  await expect(boxes.nth(2)).toBeChecked();
  await expect(onPage).toHaveJSProperty("indeterminate", true);
  await onPage.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("5 documents selected")).toBeVisible();
  await page.getByRole("checkbox", { name: /^All \d+ that match$/ }).check();
  await expect(page.getByText(/^\d\d selected$/)).toBeVisible();
  await boxes.first().uncheck();
  await expect(page.getByRole("checkbox", { name: /^All \d+ that match$/ })).not.toBeChecked();
  await expect(page.getByText("4 documents selected")).toBeVisible();
});
