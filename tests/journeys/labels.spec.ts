import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("labels of a document are set up, refused if they do not fit, and downloaded", async ({ page }) => {
  await page.goto("/documents/8");
  await unfold(page);
  await page.getByRole("link", { name: "Labels" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Labels");
  await page.getByLabel("Sheet", { exact: true }).selectOption({ label: "5164: 101.6 × 84.7 mm, 6 a sheet" });
  await page.getByLabel("Start at label").fill("7");
  await page.getByLabel("Text of the caption").fill("Check at the door");
  await page.getByRole("button", { name: "Download labels (PDF)" }).click();
  await expect(page.getByRole("alert")).toContainText("This sheet has 6 labels: enter one of them");
  await expect(page.getByLabel("Text of the caption")).toHaveValue("Check at the door");
  await page.getByLabel("Start at label").fill("6");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download labels (PDF)" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("labels.pdf");
  const { stdout } = await promisify(execFile)("pdftotext", [await download.path(), "-"]);
  expect(stdout).toContain("Check at the door");
  await page.goto("/documents/labels?ids=8");
  await expect(page.getByLabel("Sheet", { exact: true })).toHaveValue("5164");
});

test("the lines on a label are chosen, and the preview and the PDF have them", async ({ page }) => {
  await page.goto("/documents/labels?ids=8&sheet=5164");
  const lines = page.getByRole("list", { name: "Lines of the first label" }).getByRole("listitem");
  const code = /^\w{4}(-\w{4}){3}-\w$/;
  const name = (await page
    .getByRole("list", { name: "Documents", exact: true })
    .last()
    .getByRole("listitem")
    .first()
    .textContent())!;
  await expect(lines).toHaveText([/^NM-/, name, "Scan to verify", code]);
  for (const line of ["Number", "Caption"]) await page.getByRole("checkbox", { name: line }).uncheck();
  await page.getByRole("button", { name: "Update preview" }).click();
  await expect(lines).toHaveText([name, code]);
  await page.getByRole("checkbox", { name: "Name", exact: true }).uncheck();
  await page.getByRole("button", { name: "Update preview" }).click();
  await expect(lines).toHaveText([code]);
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Number" }).check();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download labels (PDF)" }).click(),
  ]);
  const { stdout } = await promisify(execFile)("pdftotext", [await download.path(), "-"]);
  expect(stdout).toContain("NM-");
  expect(stdout).not.toContain("Scan to verify");
  expect((await page.goto("/documents/labels?ids=8&lines=colour"))?.status()).toBe(200);
  await expect(page.getByRole("alert")).toContainText("Choose lines from number, name, branch, date, caption");
});

test("a sheet of own sizes says which of them are missing and which do not fit", async ({ page }) => {
  await page.goto("/documents/labels?ids=8&sheet=own&page_width=100&page_height=100&columns=2&rows=1");
  await expect(page.getByRole("alert")).toContainText("Enter the label width");
  const sizes = { "Label width": "40", "Label height": "40", "Left margin": "0", "Top margin": "0" };
  for (const [label, size] of Object.entries(sizes)) await page.getByLabel(label).fill(size);
  await page.getByLabel("Pitch across").fill("61");
  await page.getByLabel("Pitch down").fill("40");
  await page.getByRole("button", { name: "Update preview" }).click();
  await expect(page.getByRole("alert")).toContainText("The labels need 101.0 mm, more than the page’s width");
  await page.getByLabel("Pitch across").fill("50");
  await page.getByRole("button", { name: "Update preview" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText(/labels? of 1 document/)).toBeVisible();
});

test("labels of a document that is gone are not found, and others’ are printed as before", async ({ page }) => {
  expect((await page.goto("/documents/labels?ids=999999"))!.status()).toBe(404);
  const file = await page.request.get("/files/labels.pdf?ids=999999");
  expect([file.status(), await file.text()]).toEqual([404, "It was removed, or your access group does not show it.\n"]);
  const refused = await page.request.get("/files/labels.pdf?ids=x");
  expect([refused.status(), await refused.text()]).toEqual([422, "Choose up to 500 documents\n"]);
  await page.goto("/documents/labels?ids=8");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Labels");
});
