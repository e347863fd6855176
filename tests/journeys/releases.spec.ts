import type { Browser, Page } from "@playwright/test";
import { addGroup, addMember } from "../support/access-groups.ts";
import { bulkClient, startBulkIssue } from "../support/bulk-issues.ts";
import { expect, test } from "../support/journey.ts";
import { dialog, fact, main, notice } from "../support/page-parts.ts";
import { until } from "../support/server.ts";
import { addPicture, openDetails } from "../support/wizard.ts";

// Rules hold for the whole company.
test.use({ serverEnv: {} });

type User = { email: string; password: string };

/** Another user's own browser. */
async function pageOf(browser: Browser, { email, password }: User, options: object) {
  const context = await browser.newContext(options);
  const answer = await context.request.post("/login", { form: { email, password }, maxRedirects: 0 });
  expect(answer.status()).toBe(302);
  return context.newPage();
}

/** Adds a user whose access group may release. */
async function addReleaser(page: Page, name: string) {
  await addGroup(page, name, () => page.getByLabel("Docs: Release").check());
  return addMember(page, name);
}

async function fill(page: Page, hasScripts: boolean, type: [string, string], name: string) {
  await openDetails(page, ...type);
  await page.getByLabel("Document name").fill(name);
  await page.getByLabel("Expire type").selectOption("Never");
  await addPicture(page, hasScripts);
}

const held = "Another user has to release this document after you create it";

/** Drafts what a rule holds back, as the review says before. */
async function draft(page: Page, hasScripts: boolean, type: [string, string], name: string) {
  await fill(page, hasScripts, type, name);
  await expect(main(page)).toContainText(`${held}. Until then it is not issued. Your company’s rule: ${type[0]}.`);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(notice(page, `${name} awaits release by another user`)).toBeVisible();
}

async function addRule(page: Page, type: string) {
  await page.goto("/settings");
  await page.getByRole("link", { name: "Release rules" }).click();
  await page.getByRole("link", { name: "Add a rule" }).click();
  await dialog(page).getByLabel("Document type").selectOption(type);
  await dialog(page).getByRole("button", { name: "Add a rule" }).click();
  await expect(notice(page, "The rule was added")).toBeVisible();
}

test("a document under a rule is returned to its drafter, changed in the wizard, and issued when another user releases it", async ({
  page,
  browser,
  baseURL,
  javaScriptEnabled,
  signInAs,
  hasScripts,
}) => {
  await signInAs();
  const releaser = await pageOf(browser, await addReleaser(page, "Those who release"), { baseURL, javaScriptEnabled });
  await addRule(page, "Permit");
  await draft(page, hasScripts, ["Permit", "Vehicle"], "Permit for a van");
  await expect(main(page)).toContainText("Another user has to release it");
  const number = await page.locator(".lead .code").innerText();

  await releaser.goto("/dashboard");
  await releaser.getByRole("link", { name: "1 document awaits your release" }).click();
  await releaser.getByRole("link", { name: "Permit for a van" }).click();
  await expect(fact(releaser, "Drafted by")).toHaveText("Helen Marsh");
  await releaser.getByRole("link", { name: "Preview page 1" }).click();
  await expect(dialog(releaser).getByRole("img")).toBeVisible();
  await dialog(releaser).getByRole("link", { name: "Close" }).first().click();
  const older = await releaser.context().newPage();
  await older.goto(new URL(releaser.url()).pathname);
  await older.getByRole("link", { name: "Release", exact: true }).click();
  await expect(dialog(older).getByRole("heading")).toContainText("Permit for a van");
  await releaser.getByRole("link", { name: "Return", exact: true }).click();
  await dialog(releaser).getByRole("button", { name: "Return it" }).click();
  await expect(dialog(releaser)).toContainText("Enter the reason");
  await dialog(releaser).getByLabel("Reason").fill("It is for a lorry");
  await dialog(releaser).getByRole("button", { name: "Return it" }).click();
  await expect(notice(releaser, "Permit for a van was returned to Helen Marsh")).toBeVisible();

  await page.reload();
  await expect(main(page)).toContainText("Returned because: It is for a lorry");
  await page.getByRole("button", { name: "Edit" }).click();
  await expect(fact(page, "Document number")).toHaveText(number);
  await page.getByRole("link", { name: "Change details" }).click();
  await page.getByLabel("Document name").fill("Permit for a lorry");
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByRole("button", { name: "Create" }).click();
  await expect(notice(page, "Permit for a lorry awaits release")).toBeVisible();

  for (const n of [1, 2]) {
    await dialog(older).getByRole("button", { name: "Release it" }).click();
    await expect(dialog(older).getByRole("alert"), `press ${n}`).toContainText("Helen Marsh changed this at");
    await expect(main(older)).toContainText("Permit for a lorry");
  }
  await releaser.goto("/documents/releases");
  await releaser.getByRole("link", { name: "Permit for a lorry" }).click();
  await releaser.getByRole("link", { name: "Release", exact: true }).click();
  await dialog(releaser).getByRole("button", { name: "Release it" }).click();
  await expect(notice(releaser, "Permit for a lorry was released")).toBeVisible();
  await releaser.getByRole("link", { name: "See the document" }).click();
  await expect(fact(releaser, "Number")).toHaveText(number);
  await expect(fact(releaser, "Drafted by")).toHaveText("Helen Marsh");
});

test("several are released at once, each in the version that the list showed, until the rule is changed and removed", async ({
  page,
  browser,
  baseURL,
  javaScriptEnabled,
  signInAs,
  hasScripts,
}) => {
  await signInAs();
  const releaser = await pageOf(browser, await addReleaser(page, "Releasers of bank letters"), {
    baseURL,
    javaScriptEnabled,
  });
  await addRule(page, "Bank");
  for (const name of ["Letter one", "Letter two"]) await draft(page, hasScripts, ["Bank", "Statement"], name);
  await releaser.goto("/documents/releases");
  await releaser.getByRole("button", { name: "Release selected" }).click();
  await expect(releaser.getByRole("alert")).toContainText("Tick first what you release");
  for (const name of ["Letter one", "Letter two"]) await releaser.getByLabel(`Select ${name}`).check();
  await page.goto("/documents/releases?tab=own");
  await page.getByRole("link", { name: "Letter two" }).click();
  await page.getByRole("link", { name: "Give up" }).click();
  await dialog(page).getByRole("button", { name: "Give it up" }).click();
  await expect(notice(page, "Letter two was given up")).toBeVisible();
  await releaser.getByRole("button", { name: "Release selected" }).click();
  await expect(releaser.getByRole("alert")).toContainText("1 was released.");
  await expect(releaser.getByRole("alert")).toContainText("It was removed, or your access group does not show it");

  await page.goto("/settings/release-rules");
  await page.getByRole("link", { name: "Edit Bank" }).click();
  await expect(dialog(page).getByLabel("Document type")).toHaveValue("Bank");
  await dialog(page).getByLabel("Custom field with the amount").fill("Amount");
  await dialog(page).getByLabel("From this amount on").fill("ten");
  await dialog(page).getByLabel("Withdrawals wait too").check();
  await dialog(page).getByRole("button", { name: "Change the rule" }).click();
  await expect(dialog(page)).toContainText("Enter the amount in digits");
  await expect(dialog(page).getByLabel("Withdrawals wait too")).toBeChecked();
  await dialog(page).getByLabel("From this amount on").fill("10000");
  await dialog(page).getByLabel("Document type").selectOption("Permit");
  const older = await page.context().newPage();
  await older.goto("/settings/release-rules");
  await older.getByRole("link", { name: "Edit Bank" }).click();
  await dialog(page).getByRole("button", { name: "Change the rule" }).click();
  await expect(notice(page, "The rule was changed")).toBeVisible();
  await dialog(older).getByLabel("Who releases").selectOption("Two other users");
  await dialog(older).getByRole("button", { name: "Change the rule" }).click();
  const theirs = dialog(older).getByRole("region", { name: "Changed by another user" });
  await expect(theirs).toHaveText(
    /Document type\s*Permit\s*Custom field.*Amount\s*From.*10000\s*Who.*One.*Withdrawals.*Yes/,
  );
  await expect(dialog(older).getByLabel("Who releases")).toHaveValue("2");
  await dialog(older).getByLabel("Document type").selectOption("Permit");
  await dialog(older).getByLabel("Custom field with the amount").fill("Amount");
  await dialog(older).getByLabel("From this amount on").fill("10000");
  await dialog(older).getByRole("button", { name: "Change the rule" }).click();
  await expect(notice(older, "The rule was changed")).toBeVisible();
  await fill(page, hasScripts, ["Bank", "Statement"], "Letter three");
  await expect(main(page)).not.toContainText(held);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(notice(page, "Letter three was issued")).toBeVisible();

  await page.goto("/settings/release-rules");
  await page.getByRole("link", { name: "Remove Permit, Amount from 10000" }).click();
  await dialog(page).getByRole("button", { name: "Remove the rule" }).click();
  await expect(notice(page, "The rule was removed")).toBeVisible();
});

test("rows of a table wait like other documents, and their bulk issue leads to them", async ({
  page,
  server,
  signInAs,
}) => {
  await signInAs();
  await addRule(page, "Certificate");
  const client = await bulkClient(server.url);
  const path = await startBulkIssue(client, 2);
  await until(async () => (await client.ask(path)).state === "done", "the rows to wait for their release");
  await page.goto(`/documents/bulk/${path.split("/").at(-1)}/run`);
  await expect(fact(page, "Issued")).toHaveText("0");
  await page.getByRole("table", { name: "Rows" }).getByRole("link", { name: "See it" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Row 1");
  await page.goBack();
  await fact(page, "Awaiting release").getByRole("link", { name: "2" }).click();
  await expect(page.getByRole("link", { name: "Row 2" })).toBeVisible();
});
