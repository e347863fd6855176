import { never, says } from "../support/access-groups.ts";
import { test } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("what rights mean follows each choice, with and without scripts", async ({ page }) => {
  await page.goto("/users/group");
  await page.getByLabel("Scope for Docs").selectOption("Branch");
  await page.getByLabel("Docs: Read").check();
  await says(page, "see the documents of their own branch");
  await never(page, "Docs: tick a right");
  await page.getByLabel("Docs: Write").check();
  await says(page, "see and change the documents of their own branch");
  await page.getByLabel("Docs: Create").check();
  await says(page, "see, change and add the documents of their own branch");
  await page.getByLabel("Docs: Write").uncheck();
  await page.getByLabel("Scope for Docs").selectOption("Company");
  await says(page, "see and add all documents of the company");
  await never(page, "documents of their own branch");
  await page.getByLabel("Docs: Create").uncheck();
  await page.getByLabel("Docs: Read").uncheck();
  await says(page, "Docs: tick a right");
  await never(page, "all documents of the company");
  await page.getByLabel("Scope for Roles").selectOption("Company");
  await page.getByLabel("Roles: Write").check();
  await says(page, "see and change the access groups");
  await says(page, "are administrators: they can give themselves every other right");
});
