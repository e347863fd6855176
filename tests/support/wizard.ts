import type { Page } from "@playwright/test";
import { expect } from "./journey.ts";
import { picture } from "./page-files.ts";
import { issued } from "./visitor.ts";

export const next = (page: Page) => page.getByRole("button", { name: "Next", exact: true }).click();
export const prev = (page: Page) => page.getByRole("button", { name: "Prev", exact: true }).click();

/** Waits until a step is open. */
export const step = (page: Page, label: "Type" | "Details" | "Pages" | "Review") =>
  expect(page.locator("[aria-current=step]")).toContainText(label);

/** Fills the first step. */
export async function openDetails(page: Page, type = "Contract", subtype = "Lease") {
  await page.goto("/documents/new");
  await page.getByLabel("Document type").selectOption(type);
  await page.getByLabel("Document subtype").selectOption(subtype);
  await next(page);
  await step(page, "Details");
}

/** Fills the first step, and chooses on the second that the document never expires. */
export async function chooseType(page: Page) {
  await openDetails(page);
  await page.getByLabel("Expire type").selectOption("Never");
}

/** Adds page files, with scripts or without. */
export async function addFiles(
  page: Page,
  hasScripts: boolean,
  ...files: { name: string; mimeType: string; buffer: Buffer }[]
) {
  await page.getByLabel("Add page files").setInputFiles(files);
  if (!hasScripts) await page.getByRole("button", { name: "Add the chosen files" }).click();
}

/** Fills the first three steps with as little as possible, up to the review. */
export async function fillDraft(page: Page, hasScripts: boolean, name: string) {
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await addPicture(page, hasScripts);
}

/** Goes from the details to the review, with a picture as the only page. */
export async function addPicture(page: Page, hasScripts: boolean) {
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, await picture("page.png"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await next(page);
  await step(page, "Review");
}

/** Issues a document by the forms' own posts, opens it, and returns its address. */
export async function issue(page: Page, url: string, name: string): Promise<string> {
  const { path } = await issued(url, { name });
  await page.goto(path);
  return path;
}
