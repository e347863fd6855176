import { readFileSync } from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Page } from "@playwright/test";
import { zipFile } from "../fixtures/bulk-issues.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { pdf } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

const fileFixture = (name: string) => ({
  name,
  mimeType: "application/pdf",
  buffer: readFileSync(new URL(`../fixtures/page-notes/${name}`, import.meta.url)),
});

const signed = "“signed-by-another.pdf” has a signature of A. Counterparty, which the sealed PDF will not have";
const protectedFile = [
  "“owner-password-only.pdf” has tags for screen readers, which a sealed PDF of several files will not have",
  "“owner-password-only.pdf” has an owner password that forbids changes, which the sealed PDF will not have",
];
const notes = (page: Page) => page.getByRole("region", { name: "Notes on the files" }).getByRole("listitem");

test("what sealing takes from page files is said when they are added, in the review and at the document", async ({
  page,
  hasScripts,
}) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Countersigned lease"));
  await next(page);
  await step(page, "Pages");
  const files = ["signed-by-another.pdf", "portfolio.pdf", "xfa-please-wait.pdf", "owner-password-only.pdf"].map(
    fileFixture,
  );
  await addFiles(page, hasScripts, await pdf("plain.pdf"), ...files);
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "“portfolio.pdf” is a portfolio of 1 file: add the files in it",
    "“xfa-please-wait.pdf” is an XFA form, whose pages few programs show: print it to a PDF and add that",
  ]);
  await expect(notes(page)).toHaveText([signed, ...protectedFile]);
  await page.getByRole("button", { name: "Remove page 3" }).click();
  await expect(notes(page)).toHaveText([signed]);
  await next(page);
  await step(page, "Review");
  await expect(notes(page)).toHaveText([signed]);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("region", { name: "2 pages" }).getByText(signed)).toBeVisible();
});

test("what the code covers is said beside the choice of its place, and in the review", async ({ page, hasScripts }) => {
  const covered = "The code covers something on page 2: choose another place or size, or other pages";
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText("A lease", { x: 60, y: 700 });
  document.addPage([595, 842]).drawText("IBAN GB33 BUKB 2020 1555", { x: 450, y: 40, size: 9 });
  const buffer = Buffer.from(await document.save());
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Lease with an account"));
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, { name: "lease.pdf", mimeType: "application/pdf", buffer });
  const place = page.getByRole("region", { name: "Where the QR goes" });
  const sheet = place.getByRole("img", { name: "Preview of a page with the QR" });
  await expect(sheet).toHaveCount(1);
  await expect(place.getByText(covered).filter({ visible: true })).toHaveCount(0);
  await page.getByLabel("Last page").check();
  await expect(place.getByText(covered).filter({ visible: true })).toHaveCount(1);
  await expect(sheet.locator("image")).toHaveAttribute("href", /page=2/);
  await page.getByLabel("QR placing").selectOption("Top right");
  await expect(place.getByText(covered).filter({ visible: true })).toHaveCount(0);
  await page.getByLabel("QR placing").selectOption("Bottom right");
  await next(page);
  await step(page, "Review");
  await expect(notes(page)).toHaveText([covered]);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("region", { name: "2 pages" }).getByText(covered)).toBeVisible();
});

test("a bulk issue counts rows with notes, and shows them alone, before it starts and afterwards", async ({
  page,
  hasScripts,
}) => {
  const number = uniqueName("S");
  await page.goto("/documents/bulk/new");
  await page.getByLabel("Document type").selectOption("Certificate");
  await page.getByLabel("Document subtype").selectOption("Training");
  await page.getByRole("button", { name: "Next" }).click();
  const table = `Number,Name,File\n${number}-1,Ann,plain.pdf\n${number}-2,Ben,signed-by-another.pdf`;
  await page
    .getByLabel("CSV or XLSX file")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("people.csv, 2 rows")).toBeVisible();
  const [plain, other] = [await pdf("plain.pdf"), fileFixture("signed-by-another.pdf")];
  const zip = await zipFile({ "plain.pdf": plain.buffer, "signed-by-another.pdf": other.buffer });
  await page.getByLabel("ZIP file").setInputFiles({ name: "pages.zip", mimeType: "application/zip", buffer: zip });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Check rows" }).click();
  const reach = async (heading: string) => {
    const title = page.getByRole("heading", { name: heading });
    if (hasScripts) return expect(title).toBeVisible();
    await expect(async () => {
      await page.goto(`${new URL(page.url()).pathname}?still`);
      await expect(title).toBeVisible({ timeout: 500 });
    }).toPass();
  };
  await reach("Every row is ready");
  await expect(page.getByText("With notes", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Show rows with notes only" }).click();
  await expect(page.getByRole("heading", { name: "Rows with notes" })).toBeVisible();
  const rows = page.getByRole("table", { name: "Rows" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(signed);
  await page.getByRole("button", { name: "Issue 2 documents" }).click();
  await reach("Done");
  await expect(rows.nth(2)).toContainText(signed);
});

test("a template says what documents made of it will not have, but not of its fields", async ({ page }) => {
  const name = uniqueName("Diploma");
  await page.goto("/documents/templates/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("PDF").setInputFiles(fileFixture("tagged.pdf"));
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(notes(page)).toHaveText([`“${name}” has tags for screen readers, which the sealed PDF will not have`]);
});
