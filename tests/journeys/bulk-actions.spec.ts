import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { inDays } from "../support/days.ts";
import { expect, test } from "../support/journey.ts";
import { fact, unfold } from "../support/page-parts.ts";
import { issued } from "../support/visitor.ts";

/** The page's words with those that CSS adds, which locators don't see. */
async function textForScreenReaders(page: Page) {
  const devTools = await page.context().newCDPSession(page);
  const { nodes } = await devTools.send("Accessibility.getFullAXTree");
  await devTools.detach();
  return nodes
    .filter(({ role }) => role?.value === "StaticText")
    .map(({ name }) => name?.value)
    .join("|");
}

/** Rows of the list by their boxes, as a user of a screen reader finds them. */
const box = /^Select /;

test("ticked documents are archived with one confirmation, and undone", async ({ page, signInAs, hasScripts }) => {
  await signInAs();
  await page.goto("/documents/list?name=lease");
  const boxes = page.getByRole("checkbox", { name: box });
  const name = (await boxes.first().getAttribute("aria-label"))!.replace("Select ", "");
  await expect(page.getByRole("button", { name: "Archive" })).toBeHidden();
  await boxes.first().check();
  if (hasScripts) await expect(page.getByText("1 document selected")).toBeVisible();
  else await expect.poll(() => textForScreenReaders(page)).toContain("|1| selected|");
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("heading", { name: "Archive 1 document?" })).toBeVisible();
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("heading", { name: "Archived: 1 document" })).toBeVisible();
  await expect(page.getByRole("link", { name })).toBeVisible();
  await page.getByRole("button", { name: "Undo for 1 document" }).click();
  await expect(page.getByRole("heading", { name: "Restored: 1 document" })).toBeVisible();
  await page.getByRole("link", { name: "Back to the list of documents" }).click();
  await expect(page).toHaveURL("/documents/list?name=lease");
  await expect(page.getByRole("checkbox", { name: `Select ${name}` })).toBeVisible();
});

test("all that match are counted, and those that can't be prolonged are named with why", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/documents/list");
  await page.getByRole("checkbox", { name: box }).first().check();
  await page.getByRole("checkbox", { name: /^All \d+ that match$/ }).check();
  await unfold(page.locator(".selection-bar"));
  await page.getByRole("button", { name: "Prolong" }).click();
  await expect(page.getByRole("heading", { name: /^Prolong \d+ documents\?$/ })).toBeVisible();
  await expect(page.getByText(/refused: This document is not meant to be prolonged/)).toBeVisible();
  await page.getByRole("button", { name: "Prolong" }).click();
  await expect(page.getByRole("cell", { name: "Refused" }).first()).toBeVisible();
  await page.getByRole("button", { name: /^Undo for/ }).click();
  await expect(page.getByRole("heading", { name: /^Earlier expire date restored/ })).toBeVisible();
});

test("an act on nothing leads back to the list, which says so", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/bulk-actions/new?list=documents&act=archive&from=name%3Dlease");
  await expect(page.getByRole("alert")).toHaveText("Select documents first, then choose what to do.");
  await expect(page).toHaveURL("/documents/list?name=lease");
});

test("a selection that is none any more leads back to the list, which says so", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/bulk-actions/new?list=documents&act=archive&all=1&filters=name%3Dnone-of-these&from=name%3Dlease");
  await expect(page).toHaveURL("/documents/list?name=lease");
  await expect(page.getByText("Nothing matches the filters any more")).toBeVisible();
});

test("alerts need a note before they are completed together", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/alerts?state=Open");
  await page.getByRole("checkbox", { name: box }).first().check();
  await page.getByRole("button", { name: "Complete" }).click();
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByText("Enter a note").first()).toBeVisible();
  await page.getByLabel("What was found").fill("Our own test");
  await page.getByRole("button", { name: "Complete" }).click();
  await expect(page.getByRole("heading", { name: "Completed: 1 alert" })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { name: "Reopened: 1 alert" })).toBeVisible();
});

test("users are given another group, and it is undone", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/users/list?name=tom");
  await page.getByRole("checkbox", { name: box }).first().check();
  await page.getByRole("button", { name: "Change group" }).click();
  await page.getByRole("button", { name: "Change access group" }).click();
  await expect(page.getByText("Choose the access group").first()).toBeVisible();
  await page.getByLabel("Access group").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Change access group" }).click();
  await expect(page.getByRole("heading", { name: /^Access group changed: / })).toBeVisible();
  await page.getByRole("button", { name: /^Undo for/ }).click();
  await expect(page.getByText("This undid an earlier action")).toBeVisible();
});

test("the selection is exported", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/documents/list");
  await page.getByRole("checkbox", { name: box }).first().check();
  await unfold(page.locator(".selection-bar"));
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export selected" }).click();
  const file = await readFile(await (await downloading).path(), "utf8");
  expect(file.trim().split("\r\n")).toHaveLength(2);
});

test("labels of all that match are those of the archive, and of no others", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/documents/list?name=aldous");
  await page.getByRole("checkbox", { name: box }).first().check();
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("button", { name: "Archive" }).click();
  await expect(page.getByRole("heading", { name: "Archived: 1 document" })).toBeVisible();
  const result = page.url();
  await page.goto("/bulk-actions/new?list=archive&act=labels&all=1&filters=status%3Darchived%26name%3Daldous");
  await expect(page.getByText("1 label of 1 document on 1 sheet.")).toBeVisible();
  await page.goto(result);
  await page.getByRole("button", { name: /^Undo for/ }).click();
  await expect(page.getByRole("heading", { name: "Restored: 1 document" })).toBeVisible();
});

test("documents that are not meant to be prolonged are allowed it and prolonged together, and undone", async ({
  page,
  server,
  signInAs,
}) => {
  const { name } = await issued(server.url, { expire_type: "date", expire_date: inDays(300) });
  await signInAs();
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("checkbox", { name: box }).check();
  await unfold(page.locator(".selection-bar"));
  await page.getByRole("button", { name: "Prolong" }).click();
  await expect(page.getByText("refused: This document is not meant to be prolonged")).toBeVisible();
  await page.getByRole("checkbox", { name: "Allow prolongation for 1 document more, and prolong it too" }).check();
  await page.getByRole("button", { name: "Prolong" }).click();
  await expect(page.getByRole("heading", { name: "Prolonged: 1 document" })).toBeVisible();
  await page.getByRole("link", { name }).click();
  await expect(fact(page, "Prolongation")).toHaveText("Yes");
  await page.goBack();
  await page.getByRole("button", { name: /^Undo for/ }).click();
  await page.getByRole("link", { name }).click();
  await expect(fact(page, "Prolongation")).toHaveText("No");
});

test("sealed PDFs of chosen documents come as one ZIP, and what is not in it is named before", async ({
  page,
  server,
  signInAs,
}) => {
  const documents = [await issued(server.url), await issued(server.url)];
  await signInAs();
  const ids = documents.map(({ path }) => path.split("/").at(-1)).join("&id=");
  await page.goto(`/bulk-actions/new?list=documents&act=sealed&id=${ids}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/sealed PDFs of 2 documents: 2 files, /)).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("table", { name: "Left out" })).toHaveCount(0);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download ZIP" }).click();
  const bytes = await readFile(await (await downloading).path(), "latin1");
  for (const { number } of documents) expect(bytes).toContain(`${number}.pdf`);
});

test("a file of more selected rows than it can have is refused, not cut", async ({ page, signInAs }) => {
  await signInAs();
  const ids = Array.from({ length: 501 }, (_, n) => n + 1).join(",");
  const response = await page.goto(`/documents/list.csv?ids=${ids}`);
  expect(response!.status()).toBe(422);
  await expect(page.getByText("A file has at most 500 selected rows.")).toBeVisible();
});
