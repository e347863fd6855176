import { addGroup, addMember } from "../support/access-groups.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("a document lists its readers and the access group of each", async ({ page, signInAs, context }) => {
  await page.goto("/documents/8");
  await page.getByRole("link", { name: "Who can see this?" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading")).toHaveText("Who can see this?");
  // Other tests add users.
  await page.goto("/documents/8?dialog=readers&per_page=50");
  const daniel = dialog.getByRole("listitem").filter({ hasText: "Daniel Webb" });
  await expect(daniel).toContainText("daniel@hallam.example");
  await expect(daniel).toContainText("Accountant: Docs, Company: read, write, create");
  await expect(dialog.getByRole("listitem").filter({ hasText: "Helen Marsh" })).toContainText(
    "the document is their own",
  );
  // An inspector of another branch, whose group reaches no further than that.
  await expect(dialog.getByText("Tom Okafor")).toHaveCount(0);
  await dialog.getByRole("link", { name: "Close" }).last().click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL("/documents/8");
  await context.clearCookies();
  await signInAs("tom@hallam.example");
  expect((await page.goto("/documents/8?dialog=readers"))?.status()).toBe(404);
});

test("readers are paged within the dialog", async ({ page }) => {
  const name = uniqueName("Readers");
  await addGroup(page, name);
  for (let n = 0; n < 2; n++) await addMember(page, name);
  await page.goto("/documents/8?dialog=readers");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("link", { name: "Next" }).click();
  await expect(dialog.getByText(/^6 - /)).toBeVisible();
  await dialog.getByRole("link", { name: "Close" }).last().click();
  await expect(page).toHaveURL("/documents/8");
});
