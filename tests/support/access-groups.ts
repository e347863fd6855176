import type { Page } from "@playwright/test";
import { expect, uniqueName } from "./journey.ts";
import { notice } from "./page-parts.ts";

/** The row of a group in the list, whatever is around it. */
export const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader").getByRole("link", { name, exact: true }) });

const password = "a password of some length";

/** Adds an access group by its form that reads documents, and what else is chosen. */
export async function addGroup(page: Page, name: string, choose: () => Promise<void> = async () => {}) {
  await page.goto("/users/group");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Scope for Docs").selectOption("Company");
  await page.getByLabel("Docs: Read").check();
  await choose();
  await page.getByRole("button", { name: "Add access group" }).click();
  await expect(notice(page, `Access group “${name}” was added`)).toBeVisible();
}

/** Adds a user to an access group by the form. */
export async function addMember(page: Page, group: string, branch = "Preston") {
  const name = uniqueName("Mia Member");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Branch", { exact: true }).selectOption(branch);
  await page.getByLabel("Access group").selectOption(group);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(notice(page, `${name} was added`)).toBeVisible();
  return { name, email, password };
}

/** Words that the form shows: without scripts there are others in the page for every choice, hidden, and within noscript. */
const visibleText = (page: Page, words: string) => page.locator("p, li", { hasText: words }).filter({ visible: true });
export const says = (page: Page, words: string) => expect(visibleText(page, words)).toHaveCount(1);
export const never = (page: Page, words: string) => expect(visibleText(page, words)).toHaveCount(0);
