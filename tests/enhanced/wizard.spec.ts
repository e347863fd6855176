import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { addFiles, chooseType, fillDraft, next, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("subtypes are those of the chosen type", async ({ page }) => {
  await page.goto("/documents/new");
  await page.getByLabel("Document type").selectOption("Permit");
  await expect(page.getByLabel("Document subtype").getByRole("option")).toHaveText([
    "Choose …",
    "Vehicle",
    "Building",
    "Work",
    "Event",
  ]);
});

test("Add field can be pressed once both boxes are filled, and Enter presses it too", async ({ page }) => {
  await chooseType(page);
  await page.getByRole("button", { name: "Custom fields" }).click();
  const add = page.getByRole("button", { name: "Add field" });
  await expect(add).toBeDisabled();
  await page.getByLabel("Name of the new field").fill("Bank");
  await expect(add).toBeDisabled();
  await page.getByLabel("Value of the new field").fill(" ");
  await expect(add).toBeDisabled();
  await page.getByLabel("Value of the new field").fill("Northern");
  await expect(add).toBeEnabled();
  await page.getByLabel("Value of the new field").press("Enter");
  await expect(page.getByRole("button", { name: "Remove Bank" })).toBeVisible();
  await expect(page.getByLabel("Name of the new field")).toHaveValue("");
  await expect(page.getByLabel("Value of the new field")).toHaveValue("");
  await expect(add).toBeDisabled();
});

/** The names of the page files in their order. */
const order = async (page: Page) => {
  const labels = await page.getByRole("link", { name: /^Preview page/ }).allTextContents();
  return labels.map((label) => label.split(", ")[1]);
};

async function openPages(page: Page) {
  await chooseType(page);
  await page.getByLabel("Document name").fill(uniqueName("Paper"));
  await next(page);
  await step(page, "Pages");
  await addFiles(page, true, await picture("a.png"), await picture("b.png"), await picture("c.png"));
  await expect.poll(() => order(page)).toEqual(["a.png", "b.png", "c.png"]);
}

test("page files are put in order by dragging", async ({ page }) => {
  await openPages(page);
  const from = (await page.getByRole("button", { name: "Drag c.png" }).boundingBox())!;
  const to = (await page.getByRole("link", { name: /a\.png/ }).boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
  const saved = page.waitForResponse((response) => response.request().method() === "POST");
  await page.mouse.up();
  await expect.poll(() => order(page)).toEqual(["c.png", "a.png", "b.png"]);
  await saved;
  await page.reload();
  await expect.poll(() => order(page)).toEqual(["c.png", "a.png", "b.png"]);
});

test("page files are put in order with the keyboard alone", async ({ page }) => {
  await openPages(page);
  const grip = page.getByRole("button", { name: "Drag a.png" });
  await grip.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("It is over place 1.")).toBeAttached();
  // The library listens to arrow keys from the task after the one of Space.
  await page.evaluate(() => new Promise((completion) => setTimeout(completion)));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByText("It is over place 2.")).toBeAttached();
  const saved = page.waitForResponse((response) => response.request().method() === "POST");
  await page.keyboard.press("Space");
  await expect.poll(() => order(page)).toEqual(["b.png", "a.png", "c.png"]);
  await saved;
  await page.reload();
  await expect.poll(() => order(page)).toEqual(["b.png", "a.png", "c.png"]);
});

test("Create pressed twice issues one document", async ({ page }) => {
  const name = uniqueName("Paper once");
  await fillDraft(page, true, name);
  await page.getByRole("button", { name: "Create" }).dblclick();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("rowheader")).toHaveCount(1);
});
