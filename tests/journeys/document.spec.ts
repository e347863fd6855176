import { readFileSync } from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { readQr } from "../support/page-files.ts";
import { issue } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

const open = async (page: Page, name: string) => {
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `View ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
};

const act = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true }).click();
const notice = (page: Page, text: RegExp) => page.getByRole("status").filter({ hasText: text });
const dialog = (page: Page) => page.getByRole("dialog");

test("a document shows its system and its custom properties", async ({ page }) => {
  await open(page, "Warehouse lease, unit 14");
  await expect(page.getByText("Active", { exact: true }).first()).toBeVisible();
  const facts = Object.fromEntries(
    await page
      .locator("dl > div")
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector("dt")!.textContent, row.querySelector("dd")!.textContent]),
      ),
  ) as Record<string, string>;
  expect(facts).toMatchObject({
    "Document name": "Warehouse lease, unit 14",
    "User name": "Helen Marsh",
    "User email": "helen@hallam.example",
    Number: "NM-4C7H29",
    Type: "Contract",
    Subtype: "Lease",
    Pages: "6",
    Branch: "Manchester Central",
    Manager: "Aoife Byrne",
    Active: "Yes",
    // With the way to those who can see it.
    "Company users access group": "Branch staffWho can see this?",
  });
  expect(facts.Date).toMatch(/^\d\d-\d\d-\d{4}$/);
  await page.getByRole("link", { name: "Custom properties" }).click();
  await expect(page.getByRole("definition")).toHaveText([
    "LR-2026-0417",
    "Hallam & Reid Ltd",
    "20-18-74 40571936",
    "Northern Trade Bank",
    "£48,200.00",
    "GBP",
  ]);
  await page.getByRole("link", { name: "Back to the list of documents" }).click();
  await expect(page).toHaveURL(/\/documents\/list\?name=/);
});

test("Get QR shows a code that can be scanned, its groups and its link, and closes again", async ({
  page,
  context,
  hasScripts,
}) => {
  await open(page, "Fire safety certificate");
  await act(page, "Get QR");
  const code = dialog(page).getByRole("img", { name: "QR code" });
  await expect(code).toBeVisible();
  const link = dialog(page).getByRole("link", { name: /\/v\/\w{17}$/ });
  const address = (await link.textContent())!;
  await expect(dialog(page)).toContainText(
    address
      .slice(-17)
      .match(/.{1,4}/g)!
      .join("-"),
  );
  if (hasScripts) {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await dialog(page).getByRole("button", { name: "Copy link" }).click();
    await expect(dialog(page).getByRole("status")).toHaveText("The link was copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  }
  await expect.poll(async () => readQr(await code.screenshot())).toMatch(new RegExp(`^${address}(/\\d+)?$`));
  const [check] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await expect(check.getByRole("heading", { level: 1 })).toHaveText("This document is in force");
  await check.close();
  await dialog(page).getByRole("link", { name: "Close" }).first().click();
  await expect(dialog(page)).toHaveCount(0);
});

test("Download saves the code as a PNG named with the Unix seconds", async ({ page }) => {
  await open(page, "Fire safety certificate");
  const before = Math.floor(Date.now() / 1000);
  const [download] = await Promise.all([page.waitForEvent("download"), act(page, "Download")]);
  const seconds = Number(/^(\d+)\.png$/.exec(download.suggestedFilename())![1]);
  expect(seconds).toBeGreaterThanOrEqual(before);
  expect(seconds).toBeLessThanOrEqual(Date.now() / 1000);
  expect(await readQr(readFileSync(await download.path()))).toMatch(/\/v\/\w{17}(\/\d+)?$/);
});

test("every page, of PDFs too, is shown small and large, and its file downloads", async ({ page }) => {
  await open(page, "Warehouse lease, unit 14");
  await expect(page.getByRole("link", { name: /^Preview page/ })).toHaveCount(6);
  const thumbnail = page.getByRole("link", { name: "Preview page 2, lease.pdf" }).locator("img");
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  await page.getByRole("link", { name: "Preview page 2, lease.pdf" }).click();
  await expect(dialog(page)).toContainText("Page 2 of 6");
  const large = dialog(page).getByRole("img", { name: "Page 2" });
  await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1240);
  await dialog(page).getByRole("link", { name: "Next page" }).click();
  await expect(dialog(page)).toContainText("schedule.pdf");
  await dialog(page).getByRole("link", { name: "Close" }).last().click();
  await expect(dialog(page)).toHaveCount(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /Download site-plan.jpg/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("site-plan.jpg");
});

test("the sealed PDF has all pages under the document's number, and a signature", async ({ page }) => {
  await open(page, "Warehouse lease, unit 14");
  await unfold(page);
  const [download] = await Promise.all([page.waitForEvent("download"), act(page, "Download sealed PDF")]);
  expect(download.suggestedFilename()).toBe("NM-4C7H29.pdf");
  const bytes = readFileSync(await download.path());
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(6);
  expect(bytes.toString("latin1")).toContain("/SubFilter /ETSI.CAdES.detached");
});

test("Exited and Archive ask first, and can be undone", async ({ page, server }) => {
  const name = uniqueName("Paper with a life");
  await issue(page, server.url, name);
  await act(page, "Exited");
  await expect(dialog(page)).toContainText(`Mark ${name} as exited?`);
  await dialog(page).getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("Active", { exact: true }).first()).toBeVisible();
  await act(page, "Exited");
  await dialog(page).getByRole("button", { name: "Mark as exited" }).click();
  await expect(dialog(page).getByText("Choose why the document exits")).toBeVisible();
  await expect(dialog(page).getByLabel("Reason")).toBeFocused();
  await dialog(page).getByLabel("Reason").selectOption("Another reason");
  await dialog(page).getByRole("button", { name: "Mark as exited" }).click();
  await expect(page.getByText("Exited", { exact: true })).toBeVisible();
  await expect(page.getByText("Not active", { exact: true })).toBeVisible();
  await expect(notice(page, new RegExp(`^${name} NM-\\w{6} has exited$`))).toBeVisible();
  await act(page, "Archive");
  await dialog(page).getByRole("button", { name: "Archive document" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await expect(page.getByText("Exited", { exact: true })).toBeVisible();
  await expect(notice(page, new RegExp(`^${name} NM-\\w{6} was archived$`))).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit" })).toHaveCount(0);
  await act(page, "Restore");
  await dialog(page).getByRole("button", { name: "Restore document" }).click();
  await expect(page.getByText("Exited", { exact: true })).toBeVisible();
  await act(page, "Reactivate");
  await dialog(page).getByRole("button", { name: "Reactivate document" }).click();
  await expect(page.getByText("Active", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("In force", { exact: true })).toBeVisible();
});

test("Prolong extends a document by its first period", async ({ page }) => {
  await open(page, "Warehouse lease, unit 14");
  const expires = page.locator("dl > div").filter({ hasText: "Expire date" }).getByRole("definition");
  const [day, month, year] = (await expires.textContent())!.split("-");
  const later = `${day}-${month}-${Number(year) + 1}`;
  await unfold(page);
  await act(page, "Prolong");
  await expect(dialog(page)).toContainText(`by its first period, to ${later}.`);
  await dialog(page).getByRole("button", { name: "Prolong document" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: `Warehouse lease, unit 14 NM-4C7H29 was prolonged until ${later}` }),
  ).toBeVisible();
  await expect(expires).toHaveText(later);
});

test("editing keeps what was typed after an error, and saves what is valid", async ({ page, server }) => {
  const name = uniqueName("Paper to edit");
  const path = await issue(page, server.url, name);
  await act(page, "Edit");
  await page.getByLabel("Document name").fill("");
  await page.getByLabel("Expire type").selectOption("On a date");
  await page.getByLabel("Creation date").fill("31-02-2026");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "There is no 31 February in 2026",
    "Enter the document name",
    "Enter the expire date, or choose that it never expires",
  ]);
  await expect(page.getByLabel("Creation date")).toHaveValue("31-02-2026");
  await page.getByLabel("Document name").fill(`${name}, edited`);
  await page.getByLabel("Creation date").fill("1/2/2026");
  await page.getByLabel("Expire date").fill("01.02.2027");
  await page.getByLabel("Name of the new field").fill("Bank");
  await page.getByLabel("Value of the new field").fill("Northern");
  await page.getByRole("button", { name: "Add field" }).click();
  await expect(page.getByRole("button", { name: "Remove Bank" })).toBeVisible();
  await expect(page.getByLabel("Name of the new field")).toHaveValue("");
  await page.getByLabel("QR placing").selectOption("Top left");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${name}, edited`);
  await expect(page.getByText("01-02-2027")).toBeVisible();
  await page.goto(`${path}?tab=custom`);
  await expect(page.getByText("Northern", { exact: true })).toBeVisible();
});

test("two users edit one document: the second sees who saved first, and loses nothing", async ({
  page,
  browser,
  server,
}) => {
  const name = uniqueName("Paper for two");
  const path = await issue(page, server.url, name);
  const edit = path.replace("/documents/", "/documents/edit/");
  await page.goto(edit);
  await page.getByLabel("Document name").fill(`${name}, mine`);

  const other = await browser.newPage({ baseURL: server.url });
  await other.goto(`/login?next=${edit}`);
  await other.getByLabel("Email").fill("aoife@hallam.example");
  await other.getByLabel("Password").fill("seal-desk-demo");
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByLabel("Document name").fill(`${name}, theirs`);
  await other.getByRole("button", { name: "Save changes" }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(`${name}, theirs`);
  await other.close();

  // What is not saved yet, and what is refused for another reason, does not count as having seen that.
  await page.getByLabel("Name of the new field").fill("Bank");
  await page.getByLabel("Value of the new field").fill("Northern");
  await page.getByRole("button", { name: "Add field" }).click();
  await expect(page.getByLabel("Name of the new field")).toHaveValue("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("alert")).toContainText(/Aoife Byrne changed this at \d\d:\d\d/);
  await expect(page.getByLabel("Document name")).toHaveValue(`${name}, mine`);
  await expect(page.getByRole("region", { name: "Changed by another user" })).toContainText(`${name}, theirs`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${name}, mine`);
});
