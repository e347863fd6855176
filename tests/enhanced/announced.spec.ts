import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

/** What live regions have said since the page was opened, as a screen reader hears it. */
async function heard(page: Page) {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    new MutationObserver(() => {
      for (const region of document.querySelectorAll("[role=status]")) {
        const text = region.textContent.trim();
        if (text && said.at(-1) !== text) said.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said.join(" | "));
}

test("filters, sorting, paging and searches say what came of them", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByLabel("Name").press("Tab");
  const said = await heard(page);
  await page.getByLabel("Name").fill("aldous");
  await page.getByLabel("Name").press("Enter");
  await expect.poll(said).toContain("Documents: rows 1 to 2, 2 in all");
  await page.getByRole("columnheader", { name: "Number" }).getByRole("button").press("Enter");
  await expect.poll(said).toContain("Documents: rows 1 to 2, 2 in all, sorted by Number, first to last");
  await page.getByLabel("Name").fill("zzzz");
  await page.getByLabel("Name").press("Enter");
  await expect.poll(said).toContain("Documents: nothing was found");
  await page.getByRole("link", { name: "Clear the filters" }).press("Enter");
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expect.poll(said).toMatch(/Documents: rows 6 to 10, \d+ in all/);
  await expect(page).toHaveTitle("Documents (page 2) – Sealdesk");
  await page.goto("/help");
  await page.getByLabel("Search the guide").press("Tab");
  const saidInHelp = await heard(page);
  await page.getByLabel("Search the guide").fill("document");
  await page.getByRole("main").getByRole("button", { name: "Search" }).press("Enter");
  await expect.poll(saidInHelp).toMatch(/rows 1 to \d+, \d+ in all/);
});

test("a page that is opened from the navigation says its title", async ({ page }) => {
  await page.goto("/dashboard");
  await page.keyboard.press("Tab");
  const said = await heard(page);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).press("Enter");
  await expect.poll(said).toContain("Help – Sealdesk");
});
