import { expect, test, uniqueName } from "../support/journey.ts";
import { paddedPicture } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

test.use({ serverEnv: { DRAFTS_PER_USER: "2", DRAFT_MB_PER_USER: "2" } });

test("a user at the limit of drafts discards one in the list, and starts the next", async ({ page, signInAs }) => {
  await signInAs();
  const names = [uniqueName("First"), uniqueName("Second")];
  for (const name of names) {
    await chooseType(page);
    await page.getByLabel("Document name").fill(name);
    await next(page);
    await step(page, "Pages");
  }
  await page.goto("/documents/new");
  await page.getByLabel("Document type").selectOption("Contract");
  await page.getByLabel("Document subtype").selectOption("Lease");
  await next(page);
  await expect(page.getByRole("alert")).toContainText(
    "You have 2 drafts, which is the most. Finish or discard one in the list of documents first.",
  );
  // What was chosen is still there.
  await expect(page.getByLabel("Document subtype")).toHaveValue("Lease");
  await page.goto("/tariffs");
  const storage = page.getByRole("region", { name: "Storage" });
  await expect(storage).toContainText("Your drafts 2 of 2");
  await expect(storage.getByRole("progressbar", { name: "Drafts used", exact: true })).toHaveAttribute("value", "2");
  await page.goto("/documents/list");
  await expect(page.getByRole("region", { name: "Drafts" })).toContainText("2 of 2 drafts");
  await page.getByRole("link", { name: `Discard draft ${names[0]}` }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Discard/ })
    .click();
  await expect(page.getByRole("status").filter({ hasText: `Draft “${names[0]}” was discarded` })).toBeVisible();
  await chooseType(page);
});

test("page files beyond the limit are refused, naming the draft to discard, and fit afterwards", async ({
  page,
  signInAs,
  hasScripts,
}) => {
  await signInAs("aoife@hallam.example");
  const large = uniqueName("The large one");
  await chooseType(page);
  await page.getByLabel("Document name").fill(large);
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, await paddedPicture("a.png", 1_000_000));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("The next one"));
  await next(page);
  await step(page, "Pages");
  const pages = page.url();
  await addFiles(page, hasScripts, await paddedPicture("b.png", 600_000));
  await expect(page.getByText(`Discard another draft first: “${large}” takes 1.3 MB`).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Remove page/ })).toHaveCount(0);
  await page.goto("/documents/list");
  await page.getByRole("link", { name: `Discard draft ${large}` }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Discard/ })
    .click();
  await expect(page.getByRole("status").filter({ hasText: `Draft “${large}” was discarded` })).toBeVisible();
  await page.goto(pages);
  await addFiles(page, hasScripts, await paddedPicture("b.png", 600_000));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
});
