import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { addFiles, chooseType, fillDraft, issue, next, openDetails, prev, step } from "../support/wizard.ts";

/** What the wizard checks on its second step, and what it shows of it. */

test.beforeEach(({ signInAs }) => signInAs());

const problems = (page: Page) => page.getByRole("alert").getByRole("link");

test("a typed expire date is never dropped: it chooses “On a date”, or the step says to", async ({
  page,
  hasScripts,
}) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Paper for a year"));
  await page.getByLabel("Expire date").fill("31-12-2099");
  await page.getByLabel("Prolongation").check();
  if (!hasScripts) {
    await next(page);
    await expect(problems(page)).toHaveText(["Choose “On a date”, or empty the expire date"]);
    await expect(page.getByLabel("Expire type")).toHaveAccessibleDescription(/Choose “On a date”/);
    await expect(page.getByLabel("Expire date")).toHaveValue("31-12-2099");
    await expect(page.getByLabel("Prolongation")).toBeChecked();
    await page.getByLabel("Expire type").selectOption("On a date");
  }
  await expect(page.getByLabel("Expire type")).toHaveValue("date");
  await next(page);
  await addFiles(page, hasScripts, await picture("page.png"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await next(page);
  await step(page, "Review");
  await expect(page.getByText("31-12-2099")).toBeVisible();
});

test("whether a document expires is chosen: a date or Prolongation says that it does, nothing is refused", async ({
  page,
  hasScripts,
}) => {
  await openDetails(page);
  const type = page.getByLabel("Expire type");
  await expect(type).toHaveValue("");
  await page.getByLabel("Document name").fill(uniqueName("Paper of some time"));
  await next(page);
  await expect(problems(page)).toHaveText(["Choose whether the document expires: “Never” or “On a date”"]);
  await expect(type).toHaveValue("");
  await page.getByLabel("Prolongation").check();
  await next(page);
  await expect(problems(page)).toHaveText(["Enter the expire date, or choose that it never expires"]);
  await expect(type).toHaveValue("date");
  await type.selectOption("Choose …");
  await page.getByLabel("Expire date").fill("31-12-2099");
  if (hasScripts) await expect(type).toHaveValue("date");
  await next(page);
  await step(page, "Pages");
  await prev(page);
  await expect(type).toHaveValue("date");
  await expect(page.getByLabel("Expire date")).toHaveValue("31-12-2099");
});

test("the edit page takes a typed expire date for “On a date” if nothing is chosen", async ({ page, server }) => {
  const path = await issue(page, server.url, uniqueName("Paper"));
  await page.goto(path.replace("/documents/", "/documents/edit/"));
  await page.getByLabel("Expire type").selectOption("Choose …");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(problems(page)).toHaveText(["Choose whether the document expires: “Never” or “On a date”"]);
  await page.getByLabel("Expire date").fill("31-12-2099");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("definition").filter({ hasText: "31-12-2099" })).toBeVisible();
});

test("a document that never expires can't be prolonged, and the step says what to do", async ({ page }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Paper for ever"));
  await page.getByLabel("Prolongation").check();
  await page.getByLabel("Expire type").selectOption("Never");
  await next(page);
  await expect(problems(page)).toHaveText(["Choose “On a date”, or untick Prolongation"]);
  await expect(page.getByLabel("Prolongation")).toHaveAccessibleDescription(/Choose “On a date”/);
  await page.getByLabel("Prolongation").uncheck();
  await next(page);
  await step(page, "Pages");
});

test("the edit page refuses an expire date and a prolongation of a document that never expires", async ({
  page,
  server,
}) => {
  await page.goto(`/documents/edit/${(await issue(page, server.url, uniqueName("Paper"))).split("/").at(-1)}`);
  await page.getByLabel("Expire date").fill("31-12-2099");
  await page.getByLabel("Expire type").selectOption("Never");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(problems(page)).toHaveText(["Choose “On a date”, or empty the expire date"]);
  await expect(page.getByLabel("Expire date")).toHaveValue("31-12-2099");
  await page.getByLabel("Expire date").fill("");
  await page.getByLabel("Prolongation").check();
  await page.getByLabel("Expire type").selectOption("Never");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(problems(page)).toHaveText(["Choose “On a date”, or untick Prolongation"]);
});

test("a number in use and an unknown owner are refused on their step, and nothing else is lost", async ({ page }) => {
  const name = uniqueName("Paper with a number");
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await page.getByLabel("Document number").fill("NM-4C7H29");
  await page.getByLabel("User email").fill("nobody@nowhere.example");
  await next(page);
  await step(page, "Details");
  await expect(problems(page)).toHaveText([
    "The number NM-4C7H29 is already used: choose another",
    "No user with this email, or you can’t issue for them",
  ]);
  await expect(page.getByLabel("Document number")).toHaveAccessibleDescription(/ NM-\w{6} is free/);
  await expect(page.getByLabel("Document name")).toHaveValue(name);
  await page.getByLabel("Document number").fill(name);
  await page.getByLabel("User email").fill("tom@hallam.example");
  await next(page);
  await step(page, "Pages");
});

test("a number that another document took meanwhile leads back from Create to its field", async ({
  page,
  hasScripts,
}) => {
  const number = uniqueName("NM");
  const draft = async (name: string) => {
    await chooseType(page);
    await page.getByLabel("Document name").fill(name);
    await page.getByLabel("Document number").fill(number);
    await next(page);
    await addFiles(page, hasScripts, await picture("page.png"));
    await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
    await next(page);
    await step(page, "Review");
    return page.url();
  };
  const latePaper = uniqueName("Paper that came late");
  const review = await draft(latePaper);
  await draft(uniqueName("Paper that came first"));
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("status").filter({ hasText: `was issued with the number ${number}` })).toBeVisible();
  await page.goto(review);
  await page.getByRole("button", { name: "Create" }).click();
  await step(page, "Details");
  await expect(problems(page)).toHaveText([`The number ${number} is already used: choose another`]);
  await expect(page.getByLabel("Document name")).toHaveValue(latePaper);
});

test("the details and the review name the branch that the document will belong to", async ({ page, hasScripts }) => {
  await chooseType(page);
  const owner = page.getByLabel("User email");
  await expect(owner).toHaveAccessibleDescription(
    "The document’s owner. With Helen Marsh it belongs to Manchester Central.",
  );
  await owner.fill("tom@hallam.example");
  await page.getByLabel("Document name").fill(uniqueName("Paper of Tom"));
  await next(page);
  await addFiles(page, hasScripts, await picture("page.png"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await next(page);
  await step(page, "Review");
  await expect(page.getByRole("definition").filter({ hasText: "Liverpool Docks" })).toBeVisible();
  await page.getByRole("link", { name: "Change details" }).click();
  await expect(owner).toHaveAccessibleDescription(
    "The document’s owner. With Tom Okafor it belongs to Liverpool Docks.",
  );
});

test("Change on the review leads to the step, and its Next back to the review", async ({ page, hasScripts }) => {
  const name = uniqueName("Paper to look over");
  await fillDraft(page, hasScripts, name);
  await page.getByRole("link", { name: "Change type" }).click();
  await page.getByLabel("Document subtype").selectOption("Sale");
  await next(page);
  await step(page, "Review");
  await page.getByRole("link", { name: "Change details" }).click();
  await page.getByLabel("Document name").fill("");
  await next(page);
  await expect(problems(page)).toHaveText(["Enter the document name"]);
  await page.getByLabel("Document name").fill(`${name}, better`);
  await page.getByRole("button", { name: "Custom fields" }).click();
  await page.getByLabel("Name of the new field").fill("Bank");
  await page.getByLabel("Value of the new field").fill("Northern");
  await next(page);
  await step(page, "Review");
  await expect(page.getByText(`${name}, better`)).toBeVisible();
  await page.getByRole("link", { name: "Change pages" }).click();
  await addFiles(page, hasScripts, await picture("second.png"));
  await page.getByRole("button", { name: "Move page 2 earlier" }).click();
  await next(page);
  await step(page, "Review");
  await expect(page.getByText("2 pages in 2 files")).toBeVisible();
});
