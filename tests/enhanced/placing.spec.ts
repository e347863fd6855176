import { expect, test } from "../support/journey.ts";
import { pdf } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the QR is dragged on the page’s picture, and its millimetres follow", async ({ page }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("Lease");
  await next(page);
  await step(page, "Pages");
  await addFiles(page, true, await pdf("lease.pdf"));
  // What is below its progress moves when that goes.
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await expect(page.getByText("Being checked")).toHaveCount(0);
  await page.getByLabel("QR placing").selectOption("Anywhere on the page");
  const sheet = page.getByRole("img", { name: "Preview of a page" }).filter({ visible: true });
  await sheet.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await sheet.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.7, y + height * 0.25, { steps: 4 });
  await page.mouse.up();
  // 0.7 of 210 mm and 0.25 of 297 mm, less half of the code’s 30 mm.
  const typed = async (label: string) => Number(await page.getByLabel(label).inputValue());
  expect(Math.abs((await typed("From the left")) - (0.7 * 210 - 15))).toBeLessThan(2);
  expect(Math.abs((await typed("From the top")) - (0.25 * 297 - 15))).toBeLessThan(2);
  await page.mouse.move(x + width * 0.2, y + height * 0.2);
  expect(await typed("From the left")).toBeGreaterThan(100);
  await page.mouse.down();
  await page.mouse.move(x + width + 300, y + height + 300, { steps: 2 });
  await page.mouse.up();
  expect([await typed("From the left"), await typed("From the top")]).toEqual([180, 267]);
});
