import { expect, test, uniqueName } from "../support/journey.ts";
import { chooseType, fillDraft, next, prev, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("a session that ends during a step loses nothing that was typed", async ({ page, context }) => {
  const name = uniqueName("Paper from before the break");
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await page.getByLabel("Creation date").fill("half a date");
  // As in another tab.
  expect((await context.request.post("/logout", { maxRedirects: 0 })).status()).toBe(302);
  await next(page);
  await expect(page.getByText("Sign in to continue.")).toBeVisible();
  await page.getByLabel("Email").fill("helen@hallam.example");
  await page.getByLabel("Password").fill("seal-desk-demo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await step(page, "Details");
  await expect(page.getByLabel("Document name")).toHaveValue(name);
  await expect(page.getByLabel("Creation date")).toHaveValue("half a date");
});

test("Cancel and the timeline also save what was typed", async ({ page }) => {
  const name = uniqueName("Paper put aside");
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await page.getByRole("button", { name: /^Type/ }).click();
  await step(page, "Type");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: `Continue draft ${name}` }).click();
  await step(page, "Pages");
  await prev(page);
  await expect(page.getByLabel("Document name")).toHaveValue(name);
});

test("Prev and the tabs lose nothing that was typed", async ({ page }) => {
  const name = uniqueName("Paper with a past");
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await page.getByLabel("Creation date").fill("half a date");
  await page.getByRole("button", { name: "Custom fields" }).click();
  await page.getByLabel("Name of the new field").fill("Only a name");
  await prev(page);
  await step(page, "Type");
  await expect(page.getByLabel("Document subtype")).toHaveValue("Lease");
  await next(page);
  await expect(page.getByLabel("Document name")).toHaveValue(name);
  await expect(page.getByLabel("Creation date")).toHaveValue("half a date");
  await page.getByRole("button", { name: "Custom fields" }).click();
  await expect(page.getByLabel("Name of the new field")).toHaveValue("Only a name");
  await next(page);
  await expect(page.getByRole("alert")).toContainText("Enter the value of the field to add, or empty “Only a name”");
});

test("a draft survives sign-out and resumes at its step", async ({ page, hasScripts, context }) => {
  const name = uniqueName("Paper for later");
  await fillDraft(page, hasScripts, name);
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documents");
  await page.goto("/logout");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await context.clearCookies();
  await page.goto("/documents/list");
  await page.getByLabel("Email").fill("helen@hallam.example");
  await page.getByLabel("Password").fill("seal-desk-demo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: `Continue draft ${name}` }).click();
  await step(page, "Review");
  await expect(page.getByText(name)).toBeVisible();
});

test("the first step offers the newest drafts, so that a cancelled document is found again", async ({ page }) => {
  const name = uniqueName("Paper half done");
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL("/documents/list");
  await page.goto("/documents/new");
  const drafts = page.getByRole("region", { name: "Continue a draft" });
  expect(await drafts.getByRole("listitem").count()).toBeLessThanOrEqual(5);
  await drafts.getByRole("link", { name: `Continue draft ${name}` }).click();
  await step(page, "Pages");
  await expect(drafts).toHaveCount(0);
});

test("a draft is discarded after confirming", async ({ page }) => {
  const name = uniqueName("Paper for the bin");
  await chooseType(page);
  await page.getByLabel("Document name").fill(name);
  await page.getByRole("button", { name: "Custom fields" }).click();
  await expect(page).toHaveURL(/tab=custom/);
  const draft = page.url();
  await page.getByRole("link", { name: "Discard draft" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Keep draft" }).click();
  await page.getByRole("link", { name: "Discard draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documents");
  await expect(page.getByRole("status").filter({ hasText: `Draft “${name}” was discarded` })).toBeVisible();
  await expect(page.getByRole("link", { name: `Continue draft ${name}` })).toHaveCount(0);
  expect((await page.goto(draft))!.status()).toBe(404);
});

test("users can't see the drafts of others", async ({ page, signInAs }) => {
  await chooseType(page);
  const draft = page.url();
  await page.goto("/logout");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await signInAs("aoife@hallam.example");
  expect((await page.goto(draft))!.status()).toBe(404);
});
