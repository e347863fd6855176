import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PDFDocument } from "@cantoo/pdf-lib";
import { pngFile } from "../fixtures/files.ts";
import { wordsOf } from "../fixtures/sealed-pdfs.ts";
import { templateFile, writtenTemplate } from "../fixtures/templates.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

const withFields = (...names: string[]) =>
  templateFile((document) => {
    for (const [n, name] of names.entries()) {
      const box = { x: 40, y: 200 - 40 * n, width: 120, height: 24 };
      document.getForm().createTextField(name).addToPage(document.getPage(0), box);
    }
  });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const choose = (page: Page, label: string, buffer: Buffer, name = "certificate.pdf") =>
  page.getByLabel(label).setInputFiles({ name, mimeType: "application/pdf", buffer });

async function add(page: Page, name: string, file: Buffer) {
  await page.goto("/documents/templates/new");
  await page.getByLabel("Name").fill(name);
  await choose(page, "PDF", file);
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(title(page)).toHaveText(name);
}

test("a template is added from Settings, and filled as a try", async ({ page }) => {
  const name = uniqueName("Badge");
  await page.goto("/settings");
  await page.getByRole("link", { name: "Templates" }).click();
  await page.getByRole("link", { name: "Add template" }).click();
  await page.getByLabel("Name").fill(name);
  await choose(page, "PDF", await withFields("person", "town"));
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(page.getByRole("status").filter({ hasText: `“${name}” was added` })).toBeVisible();
  await expect(page.getByRole("img", { name: `First page of ${name}` })).toBeVisible();

  await page.getByLabel("person").fill("A name that is far too long for so short a field as this one is");
  await page.getByLabel("town").fill("Łódź");
  await page.getByRole("button", { name: "Download filled PDF" }).click();
  await expect(page.getByRole("alert")).toContainText("“person” is too long for field “person”");
  await expect(page.getByLabel("town")).toHaveValue("Łódź");

  await page.getByLabel("person").fill("Zoë");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download filled PDF" }).click();
  const content = await readFile(await (await downloading).path());
  const filled = await PDFDocument.load(content);
  expect([filled.getPageCount(), filled.getForm().getFields().length]).toEqual([1, 0]);
});

test("a wrong file is refused at its field and what was typed stays", async ({ page }) => {
  await page.goto("/documents/templates/new");
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter the name");
  await page.getByLabel("Name").fill("Badge of a picture");
  await choose(page, "PDF", await pngFile(), "picture.png");
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(page.getByRole("alert")).toContainText("“picture.png” is not a PDF");
  await expect(page.getByLabel("Name")).toHaveValue("Badge of a picture");
});

test("columns that are typed in a page are found, and filled where they were", async ({ page }) => {
  const file = await readFile(join(import.meta.dirname, "../fixtures/typed-template.pdf"));
  await add(page, uniqueName("Letter"), file);
  await expect(page.getByText("1 page, 7 columns")).toBeVisible();
  await page.getByLabel("first name").fill("A name that is far too long for the place before the next one on its line");
  await page.getByLabel("town").fill("Łódź");
  await page.getByRole("button", { name: "Download filled PDF" }).click();
  await expect(page.getByRole("alert")).toContainText("“first name” is too long for {{first name}} on page 1");

  await page.getByLabel("first name").fill("Zoë");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download filled PDF" }).click();
  const words = await wordsOf(await (await downloading).path());
  expect(words).toContain("Dear Zoë Town: Łódź Afterwards");
  expect(words).not.toContain("{{");
});

test("a column that can’t be taken out of its page is refused with what to do", async ({ page }) => {
  await page.goto("/documents/templates/new");
  await page.getByLabel("Name").fill(uniqueName("Two lines"));
  await choose(page, "PDF", await writtenTemplate("BT /F1 12 Tf 14 TL 40 200 Td ({{first) Tj (name}}) ' ET"));
  await page.getByRole("button", { name: "Add template" }).click();
  await expect(page.getByRole("alert")).toContainText("has {{first name}} on page 1 in a way that can’t be taken out");
  await expect(page.getByRole("alert")).toContainText("put a form field there instead");
});

test("a template without columns is added with a warning", async ({ page }) => {
  await add(page, uniqueName("Plain"), await templateFile(() => {}));
  await expect(page.getByRole("status").filter({ hasText: "No columns" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Try it" })).toContainText("every document would be the same");
});

test("a template is renamed, gets another file, and is removed after a question", async ({ page }) => {
  const name = uniqueName("Pass");
  await add(page, name, await withFields("person"));
  await page.getByRole("link", { name: "Edit template" }).click();
  await page.getByLabel("Name").fill(`${name} two`);
  await choose(page, "Replace the PDF", await withFields("person", "gate"));
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(title(page)).toHaveText(`${name} two`);
  await expect(page.getByLabel("gate")).toBeVisible();

  await page.getByRole("link", { name: "Edit template" }).click();
  await page.getByRole("button", { name: "Remove template" }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${name} two?` });
  await dialog.getByRole("button", { name: "Remove template" }).click();
  await expect(page.getByRole("status").filter({ hasText: `“${name} two” was removed` })).toBeVisible();
  await expect(page.getByRole("rowheader", { name: `${name} two` })).toHaveCount(0);
});
