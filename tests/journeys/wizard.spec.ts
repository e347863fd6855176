import { PDFDocument } from "@cantoo/pdf-lib";
import { readFileSync } from "node:fs";
import { expect, test, uniqueName } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { pdf, picture, program } from "../support/page-files.ts";
import { addFiles, chooseType, fillDraft, next, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("a document is issued in four steps, and its sealed PDF downloaded", async ({ page, hasScripts }) => {
  const name = uniqueName("Lease of a hall");
  await page.goto("/documents/list");
  await page.getByRole("link", { name: "Add new document" }).click();
  await step(page, "Type");
  await expect(page.getByRole("button", { name: "Prev" })).toBeDisabled();
  await page.getByLabel("Document type").selectOption("Contract");
  await expect(page.getByText("An agreement with another party")).toBeVisible();
  await page.getByLabel("Document subtype").selectOption("Lease");
  await next(page);

  await step(page, "Details");
  await expect(page.getByLabel("Document number")).toHaveValue(/^NM-\w{6}$/);
  await expect(page.getByLabel("Creation date")).toHaveValue(/^\d\d-\d\d-\d{4}$/);
  await expect(page.getByLabel("User email")).toHaveValue("helen@hallam.example");
  await page.getByLabel("Document name").fill(name);
  await page.getByLabel("Expire type").selectOption("On a date");
  await page.getByLabel("Expire date").fill("31-12-2099");
  await page.getByLabel("Document access type").selectOption("Open to all");
  await page.getByLabel("Prolongation").check();
  await page.getByRole("button", { name: "Custom fields" }).click();
  await page.getByLabel("Name of the new field").fill("Bank");
  await page.getByLabel("Value of the new field").fill("Northern Trade Bank");
  await page.getByRole("button", { name: "Add field" }).click();
  await expect(page.getByRole("button", { name: "Remove Bank" })).toBeVisible();
  await expect(page.getByLabel("Name of the new field")).toHaveValue("");
  await next(page);

  await step(page, "Pages");
  // What is not sent at once says what was chosen.
  await expect(page.getByLabel("Add page files")).toHaveCSS("opacity", hasScripts ? "0" : "1");
  await addFiles(page, hasScripts, await pdf("lease.pdf", 2), await picture("plan.jpg"));
  await expect(page.getByRole("button", { name: "Remove pages 1–2" })).toBeVisible();
  await page.getByRole("button", { name: "Move page 3 earlier" }).click();
  await expect(page.getByRole("button", { name: "Remove pages 2–3" })).toBeVisible();
  await page.getByLabel("QR placing").selectOption("Bottom right");
  await page.getByLabel("Every page").check();
  await next(page);

  await step(page, "Review");
  await expect(page.getByText("3 pages in 2 files")).toBeVisible();
  await expect(page.getByText("QR: bottom right, every page, 30 mm.")).toBeVisible();
  await expect(page.getByText("31-12-2099")).toBeVisible();
  await page.getByRole("link", { name: "Custom properties" }).click();
  await expect(page.getByText("Northern Trade Bank")).toBeVisible();
  await page.getByRole("button", { name: "Create" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByRole("status").filter({ hasText: `${name} was issued with the number NM-` })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Preview page 1, plan.jpg/ })).toBeVisible();
  await unfold(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download sealed PDF" }).click(),
  ]);
  expect((await PDFDocument.load(readFileSync(await download.path()))).getPageCount()).toBe(3);
  await page.goto("/documents/list");
  await expect(page.getByRole("rowheader").filter({ hasText: name })).toBeVisible();
  await expect(page.getByRole("region", { name: "Drafts" }).getByText(name)).toHaveCount(0);
});

test("each step names what is missing before the next one opens", async ({ page, hasScripts }) => {
  await page.goto("/documents/new");
  await next(page);
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Choose the document type",
    "Choose the document subtype",
  ]);
  await expect(page).toHaveTitle("Error: Add new document: Type – Sealdesk");
  await chooseType(page);
  await page.getByLabel("Creation date").fill("yesterday");
  await page.getByLabel("Expire type").selectOption("On a date");
  await next(page);
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Enter the creation date as day, month, year, like 19-11-2026",
    "Enter the document name",
    "Enter the expire date, or choose that it never expires",
  ]);
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByLabel("Creation date")).toHaveValue("yesterday");
  await page.getByLabel("Creation date").fill("01-01-2026");
  await page.getByLabel("Document name").fill(uniqueName("Paper"));
  await next(page);
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Enter the expire date, or choose that it never expires",
  ]);
  await page.getByLabel("Expire type").selectOption("Never");
  await next(page);
  await step(page, "Pages");
  await next(page);
  await expect(page.getByRole("alert").getByRole("link")).toHaveText(["Add at least one page file"]);
  await addFiles(page, hasScripts, program("evil.png"), await picture("good.png"));
  await expect(page.getByRole("alert").getByRole("link")).toHaveText(["“evil.png” is not a JPG, PNG or PDF"]);
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
});

test("no step can be skipped by its URL", async ({ page }) => {
  await chooseType(page);
  const draft = new URL(page.url()).pathname.replace(/\/fields$/, "");
  await page.goto(`${draft}/review`);
  await step(page, "Details");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: "Custom fields" }).click();
  await expect(page.getByLabel("Name of the new field")).toBeVisible();
  await page.goto(`${draft}/review`);
  await step(page, "Details");
  await expect(page.getByRole("alert")).toContainText("Enter the document name");
});

test("custom fields are changed and removed, and their names are unique", async ({ page }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Paper"));
  await page.getByRole("button", { name: "Custom fields" }).click();
  const add = async (name: string) => {
    await page.getByLabel("Name of the new field").fill(name);
    await page.getByLabel("Value of the new field").fill(`Value of ${name}`);
    await page.getByRole("button", { name: "Add field" }).click();
  };
  await add("Bank");
  await expect(page.getByRole("button", { name: "Remove Bank" })).toBeVisible();
  await add("bank");
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "There is already a field “bank”: change one name",
  ]);
  await expect(page.getByLabel("Value of the new field")).toHaveValue("Value of bank");
  await add("Account");
  await expect(page.getByRole("button", { name: "Remove Account" })).toBeVisible();
  await page.getByRole("button", { name: "Remove Bank" }).click();
  await expect(page.getByRole("button", { name: "Remove Bank" })).toHaveCount(0);
  await expect(page.getByLabel("Value", { exact: true })).toHaveValue("Value of Account");
  await next(page);
  await step(page, "Pages");
});

test("going back after Create leads to the document, and issues no second one", async ({ page, hasScripts }) => {
  const name = uniqueName("Paper once");
  await fillDraft(page, hasScripts, name);
  const review = page.url();
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const document = page.url();
  await page.goto(review);
  await expect(page).toHaveURL(document);
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("rowheader")).toHaveCount(1);
});

test("a page can be previewed before the document is issued, and removed", async ({ page, hasScripts }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Paper"));
  await next(page);
  await addFiles(page, hasScripts, await pdf("two.pdf", 2), await picture("one.png"));
  await page.getByRole("link", { name: "Preview page 3, one.png" }).click();
  const dialog = page.getByRole("dialog", { name: "Page 3 of 3" });
  const thirdPage = dialog.getByRole("img", { name: "Page 3" });
  await expect.poll(() => thirdPage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(600);
  await dialog.getByRole("link", { name: "Previous page" }).click();
  await expect(page.getByRole("dialog", { name: "Page 2 of 3" })).toContainText("two.pdf");
  await page.getByRole("dialog").getByRole("link", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Remove pages 1–2" }).click();
  await expect(page.getByRole("button", { name: /^Remove page/ })).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Preview page 1, one.png" })).toBeVisible();
});
