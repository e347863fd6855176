import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { alertsOf, phone, verdict } from "../support/visitor.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

test.use({ userAgent: phone });
test.beforeEach(({ signInAs }) => signInAs());

const dialog = (page: Page) => page.getByRole("dialog");
const copies = (page: Page) => page.getByRole("table", { name: "Copies" });
const copy = (page: Page, n: number) => copies(page).getByRole("row").nth(n);
const facts = (page: Page) => page.getByRole("definition");

/** Fills the wizard up to its third step. */
async function openPages(page: Page, hasScripts: boolean, name: string) {
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, await picture("page.png"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
}

async function issueCopies(page: Page, hasScripts: boolean, name: string, count: number) {
  await openPages(page, hasScripts, name);
  await page.getByLabel("Copies").fill(String(count));
  await next(page);
  await step(page, "Review");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
}

/** The paths in the copies' codes. */
const pathsOf = async (page: Page) =>
  (
    await copies(page)
      .locator("a.code")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  ).map((address) => new URL(address).pathname);

test("a document is issued in three copies; one is lost, and each scan says which copy it is of", async ({
  page,
  browser,
  server,
  hasScripts,
  signInAs,
}) => {
  const name = uniqueName("Bond");
  await openPages(page, hasScripts, name);
  await expect(page.getByLabel("Copies")).toHaveValue("1");
  await page.getByLabel("Copies").fill("many");
  await next(page);
  await expect(page.getByLabel("Copies")).toHaveValue("many");
  await expect(page.getByLabel("Copies")).toHaveAccessibleDescription(/Enter how many copies to issue, from 1 to 100/);
  await page.getByLabel("Copies").fill("3");
  await next(page);
  await step(page, "Review");
  await expect(page.getByText("Issued in 3 numbered copies.")).toBeVisible();
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(copies(page).getByRole("row")).toHaveCount(4);
  await expect(copy(page, 2)).toContainText("2 of 3");
  const paths = await pathsOf(page);
  expect(new Set(paths).size).toBe(3);

  const [pdf] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Sealed PDF of copy 2" }).click(),
  ]);
  expect(pdf.suggestedFilename()).toMatch(/^NM-\w{6} copy 2 of 3\.pdf$/);
  const [zip] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download all sealed PDFs" }).click(),
  ]);
  expect(zip.suggestedFilename()).toMatch(/^NM-\w{6}\.zip$/);
  expect(readFileSync(await zip.path()).includes(readFileSync(await pdf.path()))).toBe(true);

  await page.getByRole("link", { name: "Mark copy 2 as exited" }).click();
  await expect(dialog(page)).toContainText(`withdrew copy 2 of 3`);
  await dialog(page).getByRole("button", { name: "Mark copy as exited" }).click();
  await expect(dialog(page)).toContainText("Choose why this copy is withdrawn");
  await dialog(page).getByLabel("Lost").check();
  await dialog(page).getByLabel("Note").fill("Left on a train");
  await dialog(page).getByRole("button", { name: "Mark copy as exited" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copy 2 has exited" })).toBeVisible();
  await expect(copy(page, 2)).toContainText("Copy exited");
  await expect(copy(page, 2)).toContainText("as lost: Left on a train");
  await expect(page.getByText("In force", { exact: true }).first()).toBeVisible();
  const path = new URL(page.url()).pathname;

  const stranger = await browser.newContext({ baseURL: server.url, userAgent: phone });
  const scan = await stranger.newPage();
  for (const n of [1, 2, 3]) {
    await scan.goto(paths[n - 1]!);
    await expect(verdict(scan)).toHaveText(n === 2 ? "This copy was withdrawn" : "This document is in force");
    await expect(facts(scan).filter({ hasText: `${n} of 3` })).toBeVisible();
  }
  await scan.goto(paths[1]!);
  await expect(scan.getByText(/withdrew copy 2 of 3 on [\d-]+ as lost\. Do not rely on it\./)).toBeVisible();
  await expect(scan.getByRole("list", { name: "What was checked" })).toContainText("In force today? Yes.");
  await expect(scan.locator("body")).not.toContainText("train");
  await stranger.close();

  const alerts = await alertsOf(page, name, signInAs);
  await expect(alerts.getByRole("row")).toHaveCount(2);
  await expect(alerts).toContainText("Exited copy scanned");
  await expect(alerts).toContainText("Copy 2");
  await page.goto(path);
  await expect(page.getByRole("table", { name: "Newest scans" }).getByRole("columnheader")).toContainText(["Copy"]);

  await page.getByRole("link", { name: "Restore copy 2" }).click();
  await dialog(page).getByRole("button", { name: "Restore copy" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copy 2 is in use again" })).toBeVisible();
  await page.getByRole("link", { name: "History" }).click();
  const history = page.getByRole("table", { name: "History" });
  await expect(history).toContainText("Copy exited");
  await expect(history).toContainText("Copy restored");
});

test("labels are printed for all copies but exited ones", async ({ page, hasScripts }) => {
  const name = uniqueName("Bond");
  await issueCopies(page, hasScripts, name, 3);
  await page.getByRole("link", { name: "Mark copy 1 as exited" }).click();
  await dialog(page).getByLabel("Another reason").check();
  await dialog(page).getByRole("button", { name: "Mark copy as exited" }).click();
  await expect(dialog(page)).toContainText("Enter the other reason in the note");
  await expect(dialog(page).getByLabel("Another reason")).toBeChecked();
  await dialog(page).getByLabel("Note").fill("Misprinted");
  await dialog(page).getByRole("button", { name: "Mark copy as exited" }).click();
  await page.getByRole("link", { name: "Labels" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Labels");
  await expect(page.getByText("2 labels of 1 document on 1 sheet.")).toBeVisible();
});

test("a document with a single copy has no list of copies", async ({ page, hasScripts }) => {
  await issueCopies(page, hasScripts, uniqueName("Bond"), 1);
  await expect(copies(page)).toHaveCount(0);
});
