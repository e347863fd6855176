import { readFileSync, writeFileSync } from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Page } from "@playwright/test";
import { rasterOf } from "../fixtures/pdf-programs.ts";
import { readPlacesByZxing } from "../fixtures/qr-decoders.ts";
import { templateFile } from "../fixtures/templates.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

const place = (page: Page) => page.getByRole("region", { name: "Where the QR goes" });
const type = async (page: Page, millimetres: Record<string, string>) => {
  for (const [label, value] of Object.entries(millimetres)) await place(page).getByLabel(label).fill(value);
};

/** Opens the wizard's third step with two pages of which the first has words near its middle. */
async function openPages(page: Page, hasScripts: boolean) {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).drawText("Between the landlord and the tenant", { x: 200, y: 421, size: 14 });
  document.addPage([595, 842]).drawText("Signed", { x: 60, y: 700 });
  const buffer = Buffer.from(await document.save());
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Lease with a free place"));
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, { name: "lease.pdf", mimeType: "application/pdf", buffer });
  await expect(page.getByRole("button", { name: "Remove pages 1–2" })).toBeVisible();
}

/** The document's sealed PDF: its pages, and where each has a code, in millimetres. */
async function downloadSealed(page: Page, path: string) {
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("status").filter({ hasText: "was issued with the number" })).toBeVisible();
  const address = new URL(page.url()).pathname;
  const reply = await page.request.get(`/files${address}/sealed.pdf`);
  const pdf = await reply.body();
  writeFileSync(path, pdf);
  const pages = (await PDFDocument.load(pdf)).getPageCount();
  const codes = [];
  for (let n = 1; n <= pages; n++) {
    const barcodes = await readPlacesByZxing(readFileSync(await rasterOf(path, n)));
    codes.push(barcodes.map(({ left, top }) => [left, top].map((pixels) => Math.round((pixels / 300) * 25.4))));
  }
  return codes;
}

test("the QR goes where one types it, and what it would cover is said", async ({ page, hasScripts }, info) => {
  await openPages(page, hasScripts);
  await page.getByLabel("QR placing").selectOption("Anywhere on the page");
  await expect(place(page).getByRole("group", { name: "Size", exact: true })).toBeHidden();
  await type(page, { "From the left": "x", "From the top": "140", Side: "30" });
  await next(page);
  await expect(page.getByRole("alert")).toContainText("Enter how far the QR is from the edges in millimetres");
  await expect(place(page).getByLabel("From the left")).toHaveValue("x");
  await type(page, { "From the left": "80" });
  const covers = place(page).getByText("Here the code covers something").filter({ visible: true });
  if (hasScripts) await expect(covers).toBeVisible();
  await next(page);
  await step(page, "Review");
  await expect(page.getByText("QR: 80 mm from the left and 140 mm from the top, first page, 30 mm.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Notes on the files" })).toContainText(
    "The code covers something on page 1",
  );
  await page.getByRole("link", { name: "Prev", exact: true }).click();
  await expect(covers).toBeVisible();
  await type(page, { "From the left": "120,3", "From the top": "200" });
  if (hasScripts) await expect(covers).toHaveCount(0);
  await page.getByLabel("Without the characters").check();
  await next(page);
  await step(page, "Review");
  await expect(page.getByText("QR: 120.3 mm from the left and 200 mm from the top")).toBeVisible();
  await expect(page.getByRole("region", { name: "Notes on the files" })).toHaveCount(0);
  expect(await downloadSealed(page, info.outputPath("sealed.pdf"))).toEqual([[[120, 200]], []]);
  await page.goto(page.url().replace("/documents/", "/documents/edit/"));
  await expect(place(page).getByLabel("From the left")).toHaveValue("120.3");
});

test("the QR goes on a page of its own behind the others", async ({ page, hasScripts }, info) => {
  await openPages(page, hasScripts);
  await page.getByLabel("QR placing").selectOption("On a page of its own, at the end");
  await expect(place(page).getByRole("group", { name: "On which pages" })).toBeHidden();
  await page.getByLabel("Large, 35 mm").check();
  await next(page);
  await expect(page.getByText("QR: on a page of its own at the end, 35 mm.")).toBeVisible();
  const codes = await downloadSealed(page, info.outputPath("sealed.pdf"));
  expect(codes).toEqual([[], [], [[expect.any(Number), expect.any(Number)]]]);
  await expect(page.getByRole("region", { name: "2 pages" })).toBeVisible();
});

test("a template says where the QR goes on what is made of it", async ({ page }) => {
  const name = uniqueName("Badge");
  await page.goto("/documents/templates/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("PDF", { exact: true }).setInputFiles({
    name: "badge.pdf",
    mimeType: "application/pdf",
    buffer: await templateFile(),
  });
  await page.getByLabel("QR placing").selectOption("Anywhere on the page");
  await type(page, { "From the left": "12", "From the top": "34", Side: "20" });
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.getByRole("link", { name: "Edit template" }).click();
  await expect(place(page).getByLabel("From the top")).toHaveValue("34");
  await expect(place(page).getByRole("img", { name: "Preview of a page" }).filter({ visible: true })).toHaveCount(1);
  await page.getByLabel("QR placing").selectOption("As each bulk issue says");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("link", { name: "Edit template" }).click();
  await expect(page.getByLabel("QR placing")).toHaveValue("none");
});
