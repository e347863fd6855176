import { expect, test, uniqueName } from "../support/journey.ts";
import { notice } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("a view’s columns are put in order by dragging and by keys", async ({ page }) => {
  const name = uniqueName("Dragged");
  await page.goto("/views/new?list=branches&query=");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Email", { exact: true }).check();
  const grip = (column: string) => page.getByRole("button", { name: `Move ${column}`, exact: true });
  const boxes = page.getByRole("group", { name: "Shown" }).getByRole("checkbox");
  await expect(boxes.nth(0)).toHaveAccessibleName("Country");
  const from = (await grip("City").boundingBox())!;
  const to = (await grip("Country").boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
  await page.mouse.up();
  await expect(boxes.nth(0)).toHaveAccessibleName("City");
  await expect(page.getByLabel("Email", { exact: true })).toBeChecked();
  await grip("Email").press("Space");
  await page.keyboard.press("ArrowUp");
  await expect(page.getByText("It is over place 2.")).toBeAttached();
  await page.keyboard.press("Space");
  await expect(boxes.nth(1)).toHaveAccessibleName("Email");
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(notice(page, `View “${name}” was saved`)).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveText(["Name", "City", "Email", "Country", "Actions"]);
});
