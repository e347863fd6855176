import { inDays } from "../support/days.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { holdBack, untilFilled, untilGuarded } from "../support/leaving.ts";
import { dialog, main, notice } from "../support/page-parts.ts";

/** What users do while a form is on its way. */

test.beforeEach(({ signInAs }) => signInAs());

test("an API key is made once, by Enter and a press of the button that follows", async ({ page }) => {
  await page.goto("/profile/api-keys/new");
  await page.getByLabel("Name").fill(uniqueName("Nightly export"));
  await page.getByLabel("Valid until").fill(inDays(30));
  await page.getByRole("radio", { name: /^Read$/ }).check();
  await page.getByRole("checkbox", { name: "Docs" }).check();
  await untilGuarded(page);
  const { release, requests } = await holdBack(page, /\/profile\/api-keys\/new/, "POST");
  await page.getByLabel("Name").press("Enter");
  await expect(page.getByText("Loading …")).toBeVisible();
  await page.getByRole("button", { name: "Make the API key" }).click();
  release();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your new API key");
  expect(requests).toHaveLength(1);
});

test("a button that is pressed twice sends its form once", async ({ page }) => {
  await page.goto("/alerts/12");
  const text = uniqueName("Called them");
  await page.getByLabel("New comment").fill(text);
  await untilGuarded(page);
  const { release, requests } = await holdBack(page, /\/alerts\/12/, "POST");
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(page.getByText("Loading …")).toBeVisible();
  await page.getByRole("button", { name: "Add comment" }).click();
  release();
  await expect(page.getByRole("region", { name: "Comments" }).getByText(text)).toHaveCount(1);
  await expect(page.getByLabel("New comment")).toHaveValue("");
  expect(requests).toHaveLength(1);
});

for (const { what, isBack, isLeft } of [
  { what: "saved while the page asks does not come back after Back", isLeft: false },
  { what: "left by a link, though the page asked, is filled in again after Back", isLeft: true },
  { what: "left by Back, though the page asked, is filled in again", isBack: true, isLeft: true },
]) {
  test(`a form that is on its way and ${what}`, async ({ page }) => {
    await page.goto("/branches/list");
    await main(page).getByRole("link", { name: "Add new branch" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add new branch");
    const name = uniqueName("Zinc");
    const fields = { Name: name, Country: "United Kingdom", City: "Hull" };
    for (const [label, value] of Object.entries(fields))
      await main(page).getByLabel(label, { exact: true }).fill(value);
    await untilGuarded(page);
    const { release } = await holdBack(page, /\/branches\/new/, "POST");
    await page.getByRole("button", { name: "Add branch" }).click();
    await expect(page.getByText("Loading …")).toBeVisible();
    if (isBack) await page.goBack();
    else await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
    await expect(dialog(page)).toContainText("Leave without saving?");
    if (isLeft) {
      await dialog(page).getByRole("button", { name: "Leave without saving" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(isBack ? "Branches" : "Help");
      release();
    } else {
      release();
      await expect(notice(page, `${name} was added`)).toBeVisible();
      await expect(dialog(page)).toHaveCount(0);
    }
    if (isBack) await page.goForward();
    else await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add new branch");
    await untilFilled(page);
    await expect(page.getByLabel("Name")).toHaveValue(isLeft ? name : "");
  });
}

test("a custom field that was added is not lost to a dialog that opens at once", async ({ page }) => {
  await page.clock.install();
  await page.goto("/documents/edit/8");
  await page.getByLabel("Document name").fill("Deed");
  await untilGuarded(page);
  // Forms are filled in a turn of their own, which a busy page comes to later.
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.getByLabel("Name of the new field").fill("Bay");
  await page.getByLabel("Value of the new field").fill("14");
  await page.getByRole("button", { name: "Add field" }).click();
  const last = page.getByRole("textbox", { name: "Value", exact: true }).last();
  await expect(last).toHaveValue("14");
  await expect(page.getByText("Loading …")).toHaveCount(0);
  await page.getByRole("link", { name: "Logout" }).click();
  await expect(dialog(page)).toBeVisible();
  await page.clock.resume();
  await expect(last).toHaveValue("14");
  await expect(page.getByLabel("Document name")).toHaveValue("Deed");
});
