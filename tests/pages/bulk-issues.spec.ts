import type { Page } from "@playwright/test";
import { zipFile } from "../fixtures/bulk-issues.ts";
import { expect, test } from "../support/journey.ts";
import { oneIn } from "../support/shares.ts";
import { at, inspect, type State } from "../support/page-states.ts";
import { picture } from "../support/page-files.ts";

async function begin(page: Page) {
  await page.goto("/documents/bulk/new");
  await page.getByLabel("Document type").selectOption("Certificate");
  await page.getByLabel("Document subtype").selectOption("Training");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("heading", { name: "The table" })).toBeVisible();
}

async function addContent(page: Page) {
  await begin(page);
  const table = Buffer.from("Name,File\nAnn,a.png\nBen,none.png");
  await page.getByLabel("CSV or XLSX file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: table });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("people.csv, 2 rows")).toBeVisible();
  const buffer = await zipFile({ "a.png": (await picture("a.png")).buffer });
  await page.getByLabel("ZIP file").setInputFiles({ name: "pages.zip", mimeType: "application/zip", buffer });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("pages.zip, 1 file")).toBeVisible();
}

async function checkRows(page: Page) {
  await addContent(page);
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByRole("heading", { name: "1 row can’t be issued" })).toBeVisible();
}

const states: State[] = [
  { name: "bulk issues", open: at("/documents/bulk") },
  { name: "bulk issue, what", open: at("/documents/bulk/new") },
  {
    name: "bulk issue, what, refused",
    async open(page) {
      await page.goto("/documents/bulk/new");
      await page.getByRole("button", { name: "Next" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "bulk issue, content", open: addContent },
  {
    name: "bulk issue, content, refused",
    async open(page) {
      await begin(page);
      const { buffer } = await picture("page.png");
      const wrong = { name: "page.png", mimeType: "image/png", buffer };
      await page.getByLabel("ZIP file").setInputFiles(wrong);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "bulk issue, checked", open: checkRows },
  {
    name: "bulk issue, preview",
    async open(page) {
      await checkRows(page);
      await page.getByRole("link", { name: "Preview line 2" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  {
    name: "bulk issue, done",
    async open(page) {
      await checkRows(page);
      await page.getByLabel("Leave out the 1 wrong row").check();
      await page.getByRole("button", { name: "Issue 1 document" }).click();
      await expect(page.getByRole("heading", { name: "Done" })).toBeVisible();
    },
  },
  { name: "bulk issue, not there", open: at("/documents/bulk/99999/check") },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}
