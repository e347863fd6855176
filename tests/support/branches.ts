import type { Page } from "@playwright/test";
import { expect } from "./journey.ts";
import { notice } from "./page-parts.ts";

/** Adds a branch by the form; the page is then the list. A name with a Z stays out of the first page that other tests see. */
export async function addBranch(page: Page, name: string) {
  await page.goto("/branches/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Country").fill("United Kingdom");
  await page.getByLabel("City").fill("Leyland");
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(notice(page, `${name} was added`)).toBeVisible();
}

export async function openBranch(page: Page, verb: "View" | "Edit", name: string) {
  await page.goto(`/branches/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `${verb} ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(verb === "View" ? name : "Edit branch");
}
