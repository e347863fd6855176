import { PDFDocument } from "@cantoo/pdf-lib";
import type { Page } from "@playwright/test";
import { alterations } from "../fixtures/altered-sealed.ts";
import { invoice, type Pages, pdfOf } from "../fixtures/altered-pdfs.ts";
import { asFile } from "../fixtures/files.ts";
import { addPages, codeOf, create, type FormClient, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

const pages = invoice(5);
const withOtherDate: Pages = pages.map((lines, n) =>
  lines.map((line) => (n === 1 ? line.replace("2026", "2027") : line)),
);

/** A document made from a PDF, whose QR code is on its last page, and its sealed PDF. */
async function issuedFrom(url: string, fields: Record<string, string> = {}) {
  const client = await signInClient(url);
  const name = uniqueName("Invoice");
  const draft = await startDraft(client, name, fields);
  await addPages(client, draft, [asFile(await pdfOf(pages), "invoice.pdf")]);
  const path = await create(client, draft);
  return { name, path, code: await codeOf(client, path), sealed: await download(client, path) };
}

async function download(client: FormClient, path: string) {
  const answer = await client.get(`/files${path}/sealed.pdf`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

async function compare(page: Page, buffer: Buffer, name = "given.pdf") {
  await page.getByLabel("PDF file").setInputFiles({ name, mimeType: "application/pdf", buffer });
  await page.getByRole("button", { name: "Compare file" }).click();
}

const title = (page: Page) => page.getByRole("heading", { level: 1 });

test("a visitor learns whether a file is the document, and which page of it was changed", async ({ page, server }) => {
  const { code, sealed } = await issuedFrom(server.url, { access_type: "Open to all" });
  await page.goto(`/v/${code}`);
  await page.getByText("Does your file match?").click();
  await compare(page, sealed);
  await expect(title(page)).toHaveText("The same file");
  await expect(page.getByText("byte for byte")).toBeVisible();
  await expect(page.locator("script")).toHaveCount(0);

  await compare(page, await pdfOf(pages));
  await expect(title(page)).toHaveText("A genuine page file");
  await compare(page, Buffer.concat([sealed, Buffer.from("\n% appended\n")]));
  await expect(title(page)).toHaveText("This file was changed");
  await expect(page.getByText("Something was added to the sealed PDF")).toBeVisible();
  await compare(page, await pdfOf(withOtherDate));
  await expect(title(page)).toHaveText("This file was changed");
  await expect(page.getByText("Page 2 looks different.")).toBeVisible();
  await expect(page.getByText("Pages 1 and 3 were not compared")).toBeVisible();
  await expect(page.getByRole("img", { name: "Page 2 of the document, with a frame" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Page 2 of your file, with a frame" })).toBeVisible();
  await compare(page, await pdfOf([["A letter about something else"]]));
  await expect(title(page)).toHaveText("Not this document");
  await page.getByRole("link", { name: "Back to the check of the document" }).click();
  await expect(title(page)).toHaveText("This document is in force");
});

test("a visitor sees no page of a document that is not open to all, and what is wrong with a file", async ({
  page,
  server,
}) => {
  const { code } = await issuedFrom(server.url);
  await page.goto(`/v/${code}/file`);
  await compare(page, await pdfOf(withOtherDate));
  await expect(title(page)).toHaveText("This file was changed");
  await expect(page.getByRole("img")).toHaveCount(0);
  await compare(page, Buffer.from("Dear Sir or Madam"), "letter.pdf");
  await expect(title(page)).toHaveText("Does your file match?");
  await expect(page.getByText("This file is not a PDF.")).toBeVisible();
  await page.getByRole("button", { name: "Compare file" }).click();
  await expect(page.getByText("Choose the file first")).toBeVisible();
  await page.goto("/v/00000000000000000/file");
  await expect(title(page)).toHaveText("Not issued by us");
});

test("a visitor and staff learn what of a file was not compared, what it has more, and that its signature is broken", async ({
  page,
  server,
  signInAs,
}) => {
  const { path, code, sealed } = await issuedFrom(server.url);
  const altered = async (...names: string[]) => {
    const pdf = await PDFDocument.load(sealed);
    for (const name of names) await alterations[name]!.change({ pdf, page: pdf.getPage(1), context: pdf.context });
    return Buffer.from(await pdf.save());
  };
  const uncompared = await altered("words in a Chinese font where nothing was");
  const carrying = await altered("a program that is launched", "a sticky note");
  const broken = Buffer.from(sealed);
  broken.write("9", broken.indexOf("(D:2") + 6, "latin1");

  // Visitors of one network have ten checks in ten minutes.
  await page.goto(`/v/${code}/file?lang=de`);
  await page.getByLabel("PDF-Datei").setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: uncompared });
  await page.getByRole("button", { name: "Datei vergleichen" }).click();
  await expect(title(page)).toHaveText("Nicht als Ganzes verglichen");
  await expect(page.locator(".verdict-ended")).toHaveCount(1);
  await expect(page.getByText(/Seite 2 wurde nicht verglichen: .*STSong-Light/)).toBeVisible();

  await signInAs();
  await page.goto(path);
  await compare(page, uncompared);
  await expect(page.getByRole("heading", { name: "Not compared as a whole" })).toBeVisible();
  await expect(page.getByText(/Page 2 was not compared: .*STSong-Light/)).toBeVisible();
  await compare(page, carrying);
  await expect(page.getByRole("heading", { name: "This file was changed" })).toBeVisible();
  await expect(page.getByText("It has more than the sealed PDF: actions that run and notes.")).toBeVisible();
  await compare(page, broken);
  await expect(page.getByRole("heading", { name: "The pages look the same, the signature is broken" })).toBeVisible();
  await expect(page.getByText("Its signature is broken: at least one byte")).toBeVisible();
});

test("staff compare a file with a document, and see the changed page beside its own", async ({
  page,
  server,
  hasScripts,
  signInAs,
}) => {
  const { name, path, sealed } = await issuedFrom(server.url);
  await signInAs();
  await page.goto(path);
  await expect(page.getByRole("heading", { name: "Does a file match?" })).toBeVisible();
  await compare(page, sealed);
  await expect(page.getByRole("heading", { name: "The same file" })).toBeVisible();
  await compare(page, await pdfOf(withOtherDate));
  await expect(page.getByRole("heading", { name: "This file was changed" })).toBeVisible();
  await expect(page.getByRole("img", { name: "Page 2 of your file, with a frame" })).toBeVisible();
  await compare(page, Buffer.alloc(0), "empty.pdf");
  await expect(page.getByText("This file is empty.").first()).toBeVisible();
  // With scripts the answers are in the document's own page.
  if (!hasScripts) await page.getByRole("link", { name: `Back to ${name}` }).click();
  await expect(title(page)).toHaveText(name);
});
