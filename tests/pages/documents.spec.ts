import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { oneIn } from "../support/shares.ts";
import { addFiles, chooseType, fillDraft, next, prev, step } from "../support/wizard.ts";
import { textPdf } from "../support/page-files.ts";
import { at, inspect, type State } from "../support/page-states.ts";

const wizardError = async (page: Page) => {
  await next(page);
  await expect(page.getByRole("alert")).toBeVisible();
};

const states: State[] = [
  { name: "documents", open: at("/documents/list") },
  { name: "documents, all", open: at("/documents/list?per_page=50&sort=-name") },
  { name: "documents, by status", open: at("/documents/list?status=withdrawn&number=nm") },
  { name: "documents, not found", open: at("/documents/list?name=leese&branch=Lancaster") },
  { name: "archive, empty", open: at("/documents/archive") },
  { name: "document", open: at("/documents/8") },
  { name: "document, custom properties", open: at("/documents/8?tab=custom") },
  { name: "document, no custom properties", open: at("/documents/1?tab=custom") },
  { name: "document, QR", open: at("/documents/8?dialog=qr") },
  { name: "document, page", open: at("/documents/8?dialog=page&at=2") },
  { name: "document, archiving", open: at("/documents/8?dialog=archive") },
  { name: "document, withdrawing", open: at("/documents/8?dialog=exit") },
  {
    name: "document, withdrawing without a reason",
    async open(page) {
      await page.goto("/documents/8?dialog=exit");
      await page.getByRole("button", { name: "Mark as exited" }).click();
      await expect(page.getByRole("dialog")).toContainText("Choose why the document exits");
    },
  },
  { name: "calendar", open: at("/documents/calendar") },
  { name: "calendar, nothing expires", open: at("/documents/calendar?month=1999-01") },
  {
    name: "calendar, a new address",
    async open(page) {
      await page.goto("/documents/calendar");
      await page.getByRole("button", { name: "Make a secret address" }).click();
      await expect(page.getByText("it is not shown again")).toBeVisible();
    },
  },
  { name: "documents, by the day of expiry", open: at("/documents/list?expires=24-12-2026") },
  { name: "document, not there", open: at("/documents/99999") },
  { name: "edit", open: at("/documents/edit/8") },
  {
    name: "edit, refused",
    async open(page) {
      await page.goto("/documents/edit/8");
      await page.getByLabel("Document name").fill("");
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "document, for a wallet", open: at("/documents/8/wallet") },
  {
    name: "document, wallets turned off",
    async open(page) {
      await page.goto("/documents/8/wallet");
      await page.getByRole("button", { name: "Make an offer" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "document, offered to a wallet",
    async open(page) {
      await page.goto("/settings/wallet");
      await page.getByLabel("Documents can be added to wallets").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.goto("/documents/8/wallet");
      await page.getByRole("button", { name: "Make an offer" }).click();
      await expect(page.getByRole("img", { name: "QR code of the offer" })).toBeVisible();
    },
  },
  { name: "document, a file to compare", open: at("/documents/8/file-check") },
  {
    name: "document, a file refused",
    async open(page) {
      await page.goto("/documents/8/file-check");
      await page.getByRole("button", { name: "Compare file" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "labels", open: at("/documents/labels?ids=8") },
  { name: "labels, refused", open: at("/documents/labels?ids=8&sheet=own&page_width=x&start=99") },
  { name: "labels, none", open: at("/documents/labels") },
  { name: "templates", open: at("/documents/templates") },
  { name: "template, a try", open: at("/documents/templates/1") },
  {
    name: "template, a try refused",
    async open(page) {
      await page.goto("/documents/templates/1");
      await page.getByLabel("name").fill("x".repeat(200));
      await page.getByRole("button", { name: "Download filled PDF" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "template, adding", open: at("/documents/templates/new") },
  { name: "template, removing", open: at("/documents/templates/1/edit?dialog=remove") },
  { name: "template, not there", open: at("/documents/templates/99999") },
  { name: "document, readers", open: at("/documents/8?dialog=readers") },
  { name: "document, history", open: at("/documents/8?tab=history") },
  { name: "wizard, type", open: at("/documents/new") },
  {
    name: "wizard, type, refused",
    async open(page) {
      await page.goto("/documents/new");
      await wizardError(page);
    },
  },
];

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations`, async ({ page, signInAs }) => {
    await signInAs();
    await open(page);
    await inspect(page, name);
  });
}

/** The wizard's later steps need a draft, which one test walks through all of them. */
const wizardSteps: { path: string; label: "Type" | "Details" | "Pages" | "Review" }[] = [
  { path: "", label: "Type" },
  { path: "/fields", label: "Details" },
  { path: "/fields?tab=custom", label: "Details" },
  { path: "/fields?check", label: "Details" },
  { path: "/pages", label: "Pages" },
  { path: "/pages?dialog=page&at=1", label: "Pages" },
  { path: "/review", label: "Review" },
  { path: "/review?tab=custom", label: "Review" },
  { path: "?dialog=discard", label: "Type" },
];

test("every step of the wizard has no violations", async ({ page, signInAs }) => {
  await signInAs();
  await fillDraft(page, true, "Draft to look at");
  const draft = new URL(page.url()).pathname.replace(/\/review$/, "");
  for (const { path, label } of oneIn(3, wizardSteps)) {
    await page.goto(draft + path);
    await step(page, label);
    await inspect(page, `wizard ${path}`);
  }
});

test("what the pages say of the fields is offered without violations", async ({ page, signInAs, hasScripts }) => {
  await signInAs();
  await chooseType(page);
  await page.getByLabel("Document name").fill("Lease of May");
  await next(page);
  await step(page, "Pages");
  const lines = ["Lease agreement", "Agreement no.: LA-2026-1", "Date: 03/04/2026", "Bank: Harbour Bank"];
  await addFiles(page, hasScripts, await textPdf("lease.pdf", lines));
  await page.getByRole("button", { name: "Use LA-2026-1 as Document number" }).click();
  await expect(page.getByText("As on page 1")).toBeVisible();
  await inspect(page, "offers on the pages");
  await prev(page);
  await step(page, "Details");
  await inspect(page, "offers beside the fields");
});
