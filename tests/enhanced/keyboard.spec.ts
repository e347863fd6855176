import { expect, test } from "../support/journey.ts";
import { holdBack, untilFiltersAreDropped } from "../support/leaving.ts";
import { picture } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("a dialog returns the focus to what opened it, and adds no history entry", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByRole("link", { name: /^View/ }).first().click();
  const getQr = page.getByRole("link", { name: "Get QR" });
  await getQr.press("Enter");
  await expect(page.getByRole("dialog").getByRole("link", { name: "Close" }).last()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(getQr).toBeFocused();
  await page.goBack();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a dialog with a field starts with the focus in it, or on the error after a refusal", async ({ page }) => {
  await page.goto("/profile");
  const open = page.getByRole("link", { name: "Change password" });
  await open.press("Enter");
  await expect(page.getByLabel("Old password")).toBeFocused();
  await page.getByLabel("Old password").press("Enter");
  await expect(page.getByRole("alert")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(open).toBeFocused();
});

test("a filter keeps the focus in its field, a new page moves it", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByLabel("Name").fill("unit 14");
  await untilFiltersAreDropped(page);
  await page.getByLabel("Name").press("Enter");
  await expect(page.getByText("1 - 1 of 1")).toBeVisible();
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByRole("link", { name: /^View/ }).press("Enter");
  await expect(page.getByRole("link", { name: "Get QR" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

test("each step of the wizard receives the focus", async ({ page }) => {
  const main = page.getByRole("main");
  const press = (name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
  await page.goto("/documents/new");
  await page.getByLabel("Document type").selectOption("Contract");
  await page.getByLabel("Document subtype").selectOption("Lease");
  await press("Next");
  await step(page, "Details");
  await expect(main).toBeFocused();
  await page.getByLabel("Document name").fill("Gone through by the keyboard");
  await page.getByLabel("Expire type").selectOption("Never");
  await press("Next");
  await step(page, "Pages");
  await expect(main).toBeFocused();
  await press("Prev");
  await step(page, "Details");
  await expect(main).toBeFocused();
});

test("adding, moving and removing custom fields and page files keeps the keyboard focus in place", async ({
  page,
  hasScripts,
}) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("Kept by the keyboard");
  await page.getByRole("button", { name: "Custom fields" }).click();
  const name = page.getByLabel("Name of the new field");
  await name.fill("Bank");
  await page.getByLabel("Value of the new field").fill("Northern");
  await page.getByRole("button", { name: "Add field" }).press("Enter");
  await expect(name).toHaveValue("");
  await expect(name).toBeFocused();
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, await picture("a.png"), await picture("b.png"));
  await page.getByRole("button", { name: "Move page 2 earlier" }).press("Enter");
  await expect(page.getByRole("button", { name: "Move page 1 later" })).toBeFocused();
  await page.getByRole("button", { name: "Remove page 1" }).press("Enter");
  await expect(page.getByLabel("Add page files")).toBeFocused();
});

test("a page file's button keeps the focus when dragging becomes possible", async ({ page, hasScripts }) => {
  const { release } = await holdBack(page, /sortable-thumbs/);
  await chooseType(page);
  await page.getByLabel("Document name").fill("Focused before it can be dragged");
  await next(page);
  await addFiles(page, hasScripts, await picture("a.png"), await picture("b.png"));
  const later = page.getByRole("button", { name: "Move page 1 later" });
  // Of the last page while the second file is still being sent.
  await expect(later).toBeEnabled();
  await later.focus();
  release();
  await expect(page.getByText("Drag a.png")).toBeAttached();
  await expect(later).toBeFocused();
});

test("a file that was refused is not sent again by the next button", async ({ page, hasScripts }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("One good, one bad");
  await next(page);
  await addFiles(page, hasScripts, await picture("good.png"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await addFiles(page, hasScripts, { name: "bad.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await expect(page.getByRole("alert")).toContainText("“bad.png” is a text file: print it to a PDF and add that");
  await next(page);
  await step(page, "Review");
});

test("without a connection the page says so, keeps its frame and what was typed", async ({ page, context }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("Typed in a tunnel");
  await context.setOffline(true);
  await next(page);
  await expect(page.getByRole("alert").filter({ hasText: "No connection" })).toBeVisible();
  await expect(page.getByLabel("Document name")).toHaveValue("Typed in a tunnel");
  await context.setOffline(false);
  await page.goto("/documents/list");
  await page.getByRole("link", { name: "Next" }).hover();
  await context.setOffline(true);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No connection");
  await expect(page.getByRole("link", { name: "Documents list" })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByText("6 - ")).toBeVisible();
});
