import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { zipFile } from "../fixtures/bulk-issues.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { main } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

const rows = (page: Page) => page.getByRole("table", { name: "Rows" });

/** The first step: certificates of training. */
async function begin(page: Page) {
  await page.goto("/documents/list");
  await page.getByRole("link", { name: "Issue many", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Documents");
  await main(page).getByRole("link", { name: "Issue many", exact: true }).first().click();
  await page.getByLabel("Document type").selectOption("Certificate");
  await page.getByLabel("Document subtype").selectOption("Training");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("heading", { name: "The table" })).toBeVisible();
}

type Given = { table: string[][]; files: string[] };

/** The second step: a table and a ZIP. */
async function addContent(page: Page, { table, files }: Given) {
  const csv = table.map((cells) => cells.join(",")).join("\n");
  await page
    .getByLabel("CSV or XLSX file")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  const { buffer } = await picture("page.png");
  const zip = await zipFile(Object.fromEntries(files.map((name) => [name, buffer])));
  await page.getByLabel("ZIP file").setInputFiles({ name: "pages.zip", mimeType: "application/zip", buffer: zip });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`people.csv, ${table.length - 1} rows`)).toBeVisible();
  await expect(page.getByText(`pages.zip, ${files.length} file`)).toBeVisible();
}

/** Waits until the rows are checked, with the address loaded anew if no script does that. */
async function waitFor(page: Page, hasScripts: boolean, heading: string | RegExp) {
  const headings = page.getByRole("heading", { name: heading });
  if (hasScripts) return expect(headings).toBeVisible();
  await expect(async () => {
    await page.goto(`${new URL(page.url()).pathname}?still`);
    await expect(headings).toBeVisible({ timeout: 500 });
  }).toPass();
}

test("documents are issued from a table and a ZIP; a wrong row is left out and comes back with its reason", async ({
  page,
  hasScripts,
}) => {
  const number = uniqueName("B");
  const table = [
    ["Number", "Name", "File"],
    [`${number}-1`, "Ann Archer", "ann.png"],
    [`${number}-2`, "Ben Baker", "ben.png"],
    [`${number}-3`, "Cleo Carter", "none.png"],
  ];
  await begin(page);
  await addContent(page, { table, files: ["ann.png", "ben.png"] });
  await expect(page.getByLabel("What “Name” is")).toHaveValue("name");
  await page.getByRole("button", { name: "Check rows" }).click();
  await waitFor(page, hasScripts, "1 row can’t be issued");
  await expect(rows(page).getByRole("row").nth(3)).toContainText("File: “none.png” is not in the ZIP");

  await page.getByRole("link", { name: "Preview line 2" }).click();
  const preview = page.getByRole("dialog").getByRole("img");
  await expect(preview).toBeVisible();
  await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await page.getByRole("link", { name: "Close" }).click();

  await page.getByRole("button", { name: "Issue 2 documents" }).click();
  await expect(page.getByText(/1 rows are wrong/).first()).toBeVisible();
  await page.getByLabel("Leave out the 1 wrong row").check();
  await page.getByRole("button", { name: "Issue 2 documents" }).click();
  await waitFor(page, hasScripts, "Done");
  await expect(rows(page).getByRole("row").nth(2)).toContainText(`${number}-2`);
  const [refused] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Rows that were not issued, and why" }).click(),
  ]);
  expect(readFileSync(await refused.path(), "utf8")).toContain(
    `"${number}-3","Cleo Carter","none.png","File: “none.png” is not in the ZIP"`,
  );
  await rows(page)
    .getByRole("link", { name: `${number}-1` })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ann Archer");
});

test("what is no table and no ZIP is refused where it was chosen, and a draft is continued from the list", async ({
  page,
}) => {
  await begin(page);
  const wrong = { name: "page.png", mimeType: "image/png", buffer: (await picture("page.png")).buffer };
  await page.getByLabel("CSV or XLSX file").setInputFiles(wrong);
  await page.getByLabel("ZIP file").setInputFiles(wrong);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("ZIP file")).toHaveAccessibleDescription(/This is not a ZIP/);
  await expect(page.getByLabel("CSV or XLSX file")).toHaveAccessibleDescription(/CSV|XLSX/);
  await expect(page.getByRole("alert").first()).toContainText("This is not a ZIP");
  const id = /bulk\/(\d+)/.exec(page.url())![1]!;
  await page.goto("/documents/bulk");
  await page.getByRole("link", { name: `${id}: Certificate, Training` }).click();
  await expect(page.getByRole("heading", { name: "The table" })).toBeVisible();
  await page.getByRole("link", { name: "Discard" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText(`Bulk issue ${id} was discarded`)).toBeVisible();
});

test("the choice of a template is saved with the table, whatever button is pressed, and the check leads back", async ({
  page,
  hasScripts,
}) => {
  await begin(page);
  await page.getByLabel("A template that is filled from each row").check();
  await expect(page.getByLabel("ZIP file")).toBeHidden();
  const template = page.getByLabel("Template", { exact: true });
  const name = (await template.getByRole("option").nth(1).textContent())!;
  await template.selectOption(name);
  const table = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from("Name,Unlike\nAnn,1") };
  await page.getByLabel("CSV or XLSX file").setInputFiles(table);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("people.csv, 1 row")).toBeVisible();
  await expect(page.getByLabel("A template that is filled from each row")).toBeChecked();
  await expect(template.locator("option:checked")).toHaveText(name);
  await page.getByLabel("What “Name” is").selectOption({ label: "Not used" });
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page.getByRole("alert").first()).toContainText("Enter the document name: choose the column that has it");
  await expect(page.getByLabel("What “Name” is")).toHaveValue("");
  await page.getByLabel("What “Name” is").selectOption({ label: "Document name" });
  await page.getByLabel("What “Unlike” is").selectOption({ label: "Creation date" });
  await page.getByRole("button", { name: "Check rows" }).click();
  await waitFor(page, hasScripts, "1 row can’t be issued");
  await page.getByRole("link", { name: "Back to Content" }).click();
  await expect(page.getByLabel("What “Unlike” is")).toHaveValue("date");
});

test("a bulk issue is cancelled, and says so", async ({ page, hasScripts }) => {
  await begin(page);
  await addContent(page, {
    table: [
      ["Name", "File"],
      ["Ann", "a.png"],
    ].concat([["Ben", "a.png"]]),
    files: ["a.png"],
  });
  await page.getByRole("button", { name: "Check rows" }).click();
  await waitFor(page, hasScripts, "Every row is ready");
  await page.getByRole("button", { name: "Issue 2 documents" }).click();
  await waitFor(page, hasScripts, /Running|Done/);
});
