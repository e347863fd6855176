import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { untilGuarded } from "../support/leaving.ts";
import { dialog, main } from "../support/page-parts.ts";

/** What was typed stays when another control of the page is used before it is sent. */

test.beforeEach(({ signInAs }) => signInAs());

for (const { path, label, remove } of [
  { path: "/users/edit/3", label: "City", remove: "Remove user" },
  { path: "/branches/edit/1", label: "City", remove: "Remove branch" },
  { path: "/users/group?id=3", label: "Name", remove: "Remove access group" },
]) {
  test(`“${remove}” and Cancel lose nothing that was typed`, async ({ page }) => {
    await page.goto(path);
    await main(page).getByLabel(label, { exact: true }).fill("Leyland");
    await main(page).getByRole("button", { name: remove }).click();
    await expect(dialog(page).getByRole("button", { name: remove })).toBeVisible();
    await dialog(page).getByText("Cancel").click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(main(page).getByLabel(label, { exact: true })).toHaveValue("Leyland");
  });
}

test("what was typed is there again after another page and Back, and the menu is closed", async ({
  page,
  hasScripts,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/branches/edit/1");
  await main(page).getByLabel("Phone").fill("+44 161 496 0999");
  await main(page).getByLabel("City").fill("Salford");
  if (hasScripts) await untilGuarded(page);
  await page.getByText("Menu", { exact: true }).click();
  await page.getByRole("link", { name: "Help", exact: true }).click();
  if (hasScripts) await page.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await page.goBack();
  await expect(main(page).getByLabel("Phone")).toHaveValue("+44 161 496 0999");
  await expect(main(page).getByLabel("City")).toHaveValue("Salford");
  await expect(page.getByRole("link", { name: "Help", exact: true })).toBeHidden();
});

test("the rights of another group leave the name that was typed", async ({ page }) => {
  await page.goto("/users/group");
  await page.getByLabel("Name").fill("Porters");
  await page.getByLabel("Copy the rights of").selectOption("Accountant");
  await page.getByRole("button", { name: "Copy rights" }).click();
  await expect(page.getByLabel("Docs: Write")).toBeChecked();
  await expect(page.getByLabel("Name")).toHaveValue("Porters");
  await page.getByLabel("Docs: Write").uncheck();
  await page.getByRole("button", { name: "Copy rights" }).click();
  await expect(page.getByLabel("Docs: Write")).toBeChecked();
});

const rows = (page: Page) => page.getByRole("rowheader");

for (const { list, label, text } of [
  { list: "/documents/list", label: "Name", text: "lease" },
  { list: "/users/list", label: "Email", text: "hallam" },
  { list: "/alerts", label: "Name", text: "lease" },
]) {
  test(`the filters of ${list} that were typed go with other rows per page and another order`, async ({ page }) => {
    await page.goto(list);
    await page.getByRole("search").getByLabel(label).fill(text);
    await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "25", exact: true }).click();
    await expect(page).toHaveURL(({ searchParams }) => searchParams.getAll("per_page").join() === "25");
    await expect(page.getByRole("search").getByLabel(label)).toHaveValue(text);
    const name = page.getByRole("columnheader").getByRole("button").first();
    await page.getByRole("search").getByLabel(label).fill("a");
    await name.click();
    await expect(page).toHaveURL(({ searchParams }) => searchParams.getAll("sort").length === 1);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toMatchObject({ per_page: "25" });
    await expect(page.getByRole("search").getByLabel(label)).toHaveValue("a");
    await name.click();
    await expect(page).toHaveURL(({ searchParams }) => searchParams.getAll("sort").join().startsWith("-"));
    expect(await rows(page).count()).toBeGreaterThan(0);
    // Chosen once more, five rows are what the other lists begin with.
    await page.getByRole("button", { name: "5", exact: true }).click();
    await expect(page).toHaveURL(/per_page=5(&|$)/);
  });
}

test("the search for a user of a branch keeps its text, the choice and the page below", async ({ page }) => {
  const from = new URLSearchParams({ from: "/branches/list?country=kingdom", tab: "users", per_page: "10" });
  await page.goto(`/branches/view/1?${from}`);
  await page.getByRole("link", { name: "Add user to branch" }).click();
  const text = dialog(page).getByLabel("Name or email");
  await text.fill("nobody at all");
  await text.press("Enter");
  await expect(dialog(page)).toContainText("No user has “nobody at all” in their name or email.");
  await expect(text).toHaveValue("nobody at all");
  await dialog(page).getByRole("button", { name: "Add user" }).click();
  await expect(dialog(page).getByRole("alert")).toBeVisible();
  await expect(text).toHaveValue("nobody at all");
  await dialog(page).getByRole("link", { name: "Cancel" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(Object.fromEntries(from));
  await expect(page.getByRole("columnheader", { name: "Role" })).toBeVisible();
  await page.getByRole("link", { name: "Back to the list of branches" }).click();
  await expect(page).toHaveURL("/branches/list?country=kingdom");
});
