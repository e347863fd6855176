import type { Page } from "@playwright/test";
import { toBuffer } from "qrcode";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture, textPdf } from "../support/page-files.ts";
import { addFiles, next, openDetails, prev, step } from "../support/wizard.ts";

/** What the pages say of a document's fields is offered in the wizard, and filled in by a button alone. */

test.beforeEach(({ signInAs }) => signInAs());

const name = () => uniqueName("Invoice of April");
const offers = (page: Page) => page.getByRole("region", { name: "Read from the pages" });

async function openPages(page: Page) {
  await openDetails(page, "Invoice", "Sales");
  await page.getByLabel("Expire type").selectOption("Never");
  await page.getByLabel("Document name").fill(name());
  await next(page);
  await step(page, "Pages");
}

test("offers number, date, amount and heading of the pages, and fills in what is chosen", async ({
  page,
  hasScripts,
}) => {
  await openPages(page);
  await expect(offers(page)).toBeHidden();
  const number = uniqueName("INV").replaceAll(/[^\w-]+/g, "-");
  const lines = ["Tax invoice", `Invoice no.: ${number}`, "Invoice date: 3 April 2026", "Due date: 3 May 2026"];
  await addFiles(
    page,
    hasScripts,
    await picture("cover.png"),
    await textPdf("invoice.pdf", [...lines, "Total: EUR 1,180.00"]),
  );
  await expect(offers(page)).toContainText(`Page 2 has “${number}” at “Invoice no.”.`);
  await expect(offers(page)).toContainText("Page 2 has “03-04-2026” at “Invoice date”.");
  await expect(offers(page)).toContainText("Page 2 has “EUR 1,180.00” at “Total”.");
  await expect(offers(page)).toContainText("Page 2 has “Tax invoice”.");

  await page.getByRole("button", { name: `Use ${number} as Document number` }).click();
  await expect(page.getByRole("button", { name: `Use ${number}` })).toBeHidden();
  await expect(offers(page).getByText("As on page 2")).toHaveCount(1);
  await page.getByRole("button", { name: "Use EUR 1,180.00 as Amount" }).click();
  await expect(offers(page).getByText("As on page 2")).toHaveCount(2);

  await prev(page);
  await step(page, "Details");
  await expect(page.getByLabel("Document number")).toHaveValue(number);
  await expect(page.getByLabel("Document number")).toHaveAccessibleDescription(/As on page 2/);
  await expect(page.getByLabel("Creation date")).not.toHaveValue("03-04-2026");
  await page.getByLabel("Expire date").fill("31-12-2099");
  await page.getByRole("button", { name: "Use 03-04-2026 as Creation date" }).click();
  await expect(page.getByLabel("Creation date")).toHaveValue("03-04-2026");
  await expect(page.getByLabel("Expire date")).toHaveValue("31-12-2099");
  await page.getByLabel("Expire type").selectOption("On a date");
  await page.getByRole("button", { name: "Custom fields", exact: true }).click();
  await expect(page.getByLabel("Value", { exact: true })).toHaveValue("EUR 1,180.00");

  await page.getByRole("button", { name: "Pages" }).click();
  await step(page, "Pages");
  await next(page);
  await step(page, "Review");
  await expect(page.getByText("As on page 2")).toHaveCount(2);
});

test("asks which date is meant if day and month may be either way", async ({ page, hasScripts }) => {
  await openPages(page);
  await addFiles(page, hasScripts, await textPdf("invoice.pdf", ["Invoice", "Date: 03/04/2026"]));
  await expect(offers(page)).toContainText("Page 1 has 03-04-2026 or 04-03-2026 at “Date”: which of them is meant?");
  await page.getByRole("button", { name: "Use 04-03-2026 as Creation date" }).click();
  await expect(offers(page).getByText("As on page 1")).toBeVisible();
  await prev(page);
  await expect(page.getByLabel("Creation date")).toHaveValue("04-03-2026");
});

test("reads a custom field by its label, and the number in a picture’s code", async ({ page, hasScripts }) => {
  await openDetails(page, "Contract", "Supply");
  await page.getByLabel("Expire type").selectOption("Never");
  await page.getByLabel("Document name").fill(name());
  await page.getByRole("button", { name: "Custom fields", exact: true }).click();
  await page.getByLabel("Name of the new field").fill("Site");
  await page.getByLabel("Value of the new field").fill("to be read");
  await next(page);
  await step(page, "Pages");
  const code = await toBuffer("DOC-2026-77", { scale: 8, margin: 4 });
  await addFiles(page, hasScripts, await textPdf("supply.pdf", ["Supply", "Site: Harbour 12"]));
  await addFiles(page, hasScripts, { name: "code.png", mimeType: "image/png", buffer: code });
  await expect(offers(page)).toContainText("Page 1 has “Harbour 12” at “Site”.");
  await expect(offers(page)).toContainText("Page 2 has “DOC-2026-77”.");
  await page.getByRole("button", { name: "Use Harbour 12 as Site" }).click();
  await page.getByRole("button", { name: "Remove page 1" }).click();
  await expect(page.getByRole("button", { name: "Remove page 2" })).toBeHidden();
  await expect(offers(page)).toContainText("Page 1 has “DOC-2026-77”.");
  await next(page);
  await step(page, "Review");
  await page.getByRole("link", { name: "Custom properties" }).click();
  await expect(page.getByText("Harbour 12")).toBeVisible();
});
