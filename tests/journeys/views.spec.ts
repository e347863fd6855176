import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { notice, unfold } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

const bar = (page: Page) => page.getByRole("navigation", { name: "Saved views" });
const headings = (page: Page) => page.getByRole("columnheader");

/** Follows a link of the list's views to a form, which like the list has a field for a name. */
async function openForm(page: Page, link: string) {
  await page.getByRole("link", { name: link }).click();
  await expect(page.getByRole("heading", { name: "Filters and sort" })).toBeVisible();
}

/** Saves what the list shows under a name, with the changes that `fill` makes to the form. */
async function saveView(page: Page, name: string, fill: () => Promise<void> = async () => {}) {
  await openForm(page, "Save as a view");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await fill();
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(notice(page, `View “${name}” was saved`)).toBeVisible();
}

async function removeView(page: Page, name: string) {
  await bar(page).getByRole("link", { name, exact: true }).click();
  await expect(bar(page).getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "true");
  await openForm(page, `Change view ${name}`);
  await page.getByRole("button", { name: "Remove view" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove view" }).click();
  await expect(notice(page, `View “${name}” was removed`)).toBeVisible();
}

test("a filtered list is saved as a view, and opened from the list", async ({ page }) => {
  const name = uniqueName("Aldous");
  await page.goto("/documents/list?name=aldous&sort=-name");
  await saveView(page, name);
  await expect(bar(page).getByRole("link", { name, exact: true })).toHaveAttribute("aria-current", "true");
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await bar(page).getByRole("link", { name: "All documents" }).click();
  await expect(page.getByLabel("Name")).toHaveValue("");
  await bar(page).getByRole("link", { name, exact: true }).click();
  await expect(page.getByLabel("Name")).toHaveValue("aldous");
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await removeView(page, name);
});

test("a view shows the chosen columns, custom fields among them, in the list and in its file", async ({ page }) => {
  const name = uniqueName("Amounts");
  await page.goto("/documents/list?name=aldous");
  await saveView(page, name, async () => {
    await page.getByLabel("User", { exact: true }).uncheck();
    await page.getByLabel("Category", { exact: true }).uncheck();
    await page.getByLabel("Expire date", { exact: true }).check();
    await page.getByRole("checkbox", { name: "Amount (custom field)", exact: true }).check();
    await page.getByLabel("Other custom fields").fill("Tenor");
  });
  await expect(headings(page)).toHaveText([
    "Select",
    "Document",
    "Branch",
    "Date",
    "Number",
    "Expire date",
    "Amount",
    "Tenor",
    "Action",
  ]);
  await page.getByLabel("Name").fill("lease");
  await page.getByRole("search").getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/view=\d+/);
  await expect(headings(page).getByText("Amount")).toBeVisible();
  const href = (await page.getByRole("link", { name: "Export CSV" }).getAttribute("href"))!;
  const file = await (await page.request.get(href)).text();
  expect(file.split("\r\n")[0]).toMatch(/"Company users access group","Amount","Tenor"$/);
  await page
    .getByRole("checkbox", { name: /^Select / })
    .first()
    .check();
  await unfold(page.locator(".selection-bar"));
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export selected" }).click();
  const selected = await readFile(await (await downloading).path(), "utf8");
  expect(selected.split("\r\n")[0]).toBe(file.split("\r\n")[0]);
  expect(selected.trim().split("\r\n")).toHaveLength(2);
  await page.goto(page.url());
  await openForm(page, `Change view ${name}`);
  await expect(page.getByRole("checkbox", { name: "Amount (custom field)", exact: true })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Tenor (custom field)", exact: true })).toBeChecked();
  await expect(page.getByLabel("Other custom fields")).toHaveValue("");
  await page.getByRole("link", { name: "Back to the list" }).click();
  await removeView(page, name);
  await expect(headings(page).getByText("Amount")).toHaveCount(0);
});

test("a view’s columns stand in the order of their numbers", async ({ page, hasScripts }) => {
  test.skip(hasScripts, "With scripts columns are dragged: tests/enhanced/views.spec.ts.");
  const name = uniqueName("Ordered");
  const place = (column: string) => page.getByRole("textbox", { name: `Place of ${column}`, exact: true });
  await page.goto("/users/list?sort=name");
  await openForm(page, "Save as a view");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await expect(place("Role")).toHaveValue("1");
  await place("Role").fill("9");
  await place("Branch").fill("first");
  await page.getByLabel("Phone", { exact: true }).check();
  await page.getByRole("button", { name: "Save view" }).click();
  const problem = page.getByRole("alert").getByRole("link");
  await expect(problem).toHaveText("Number the columns from 1 to 99, or leave the field empty");
  await problem.click();
  await expect(place("Branch")).toBeFocused();
  await expect(place("Role")).toHaveValue("9");
  await expect(page.getByLabel("Phone", { exact: true })).toBeChecked();
  await place("Branch").fill("1");
  await place("Country").fill("2");
  await place("City").fill("");
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(notice(page, `View “${name}” was saved`)).toBeVisible();
  const expectColumns = async (...columns: string[]) =>
    expect(headings(page)).toHaveText(["Select", "Name/Email", ...columns, "Actions"]);
  await expectColumns("Branch", "Country", "Index", "Role", "City", "Phone");
  await openForm(page, `Change view ${name}`);
  await expect(page.getByRole("textbox", { name: /^Place of/ }).first()).toHaveAccessibleName("Place of Branch");
  await expect(place("Phone")).toHaveValue("6");
  await place("Phone").fill("1");
  await place("Branch").fill("2");
  await page.getByRole("button", { name: "Update view" }).click();
  await expect(notice(page, `View “${name}”: changes saved`)).toBeVisible();
  await expectColumns("Phone", "Branch", "Country", "Index", "Role", "City");
  await removeView(page, name);
});

test("a list opens with its user’s default view, and all is one link away", async ({ page }) => {
  const name = uniqueName("Open ones");
  await page.goto("/alerts?state=Open");
  await saveView(page, name, () => page.getByLabel("Open the list with this view").check());
  await page.goto("/alerts");
  await expect(page).toHaveURL(/view=\d+&state=Open/);
  await page.getByRole("link", { name: "Clear", exact: true }).click();
  await expect(page).toHaveURL(/\/alerts\?view=all$/);
  await expect(page.getByLabel("Status")).toHaveValue("");
  await removeView(page, name);
  await page.goto("/alerts");
  await expect(page).toHaveURL(/\/alerts$/);
});

test("a view that is gone is said, and the list is shown with its usual columns", async ({ page }) => {
  await page.goto("/documents/list?view=999999&name=aldous");
  await expect(bar(page).getByText("The view in this address is not there any more.")).toBeVisible();
  await expect(headings(page).getByText("Category")).toBeVisible();
  await page.goto("/documents/list?view=all");
  await expect(bar(page).getByText("not there any more")).toHaveCount(0);
});

test("a shared view is found by the members of the access group, who open their list with it", async ({
  page,
  context,
  signInAs,
}) => {
  const name = uniqueName("Shared leases");
  await page.goto("/documents/list?name=lease");
  await saveView(page, name, () => page.getByLabel("Share with the access group “Administrator”").check());
  await openForm(page, `Change view ${name}`);
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.getByRole("button", { name: "Update view" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter the name");
  const shared = page.getByLabel("Share with the access group “Administrator”");
  await expect(shared).toBeChecked();
  await shared.uncheck();
  await page.getByRole("button", { name: "Update view" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter the name");
  await expect(shared).not.toBeChecked();
  await context.clearCookies();
  await signInAs("priya@hallam.example");
  await page.goto("/documents/list?view=all");
  await expect(bar(page).getByRole("link", { name, exact: true })).toHaveCount(0);
  await context.clearCookies();
  await signInAs();
  await page.goto("/documents/list?view=all");
  await removeView(page, name);
});

test("a name that is taken is refused, and nothing that was chosen is lost", async ({ page }) => {
  const name = uniqueName("Twice");
  await page.goto("/branches/list?city=pres");
  await saveView(page, name, async () => {
    await page.getByLabel("City", { exact: true }).uncheck();
  });
  await expect(headings(page)).toHaveText(["Name", "Country", "Actions"]);
  await page.goto("/branches/list?view=all&city=pres");
  await openForm(page, "Save as a view");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Phone", { exact: true }).check();
  await page.getByLabel("City", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByText("You have a view of this list with this name: enter another").first()).toBeVisible();
  await expect(page.getByLabel("Phone", { exact: true })).toBeChecked();
  await expect(page.getByLabel("City", { exact: true })).not.toBeChecked();
  await page.goto("/branches/list?view=all");
  await removeView(page, name);
});

test("a view that was changed meanwhile shows its saved name beside what was typed", async ({ page, context }) => {
  const name = uniqueName("Meanwhile");
  await page.goto("/alerts?view=all&sort=-date");
  await saveView(page, name);
  await openForm(page, `Change view ${name}`);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Name", { exact: true }).fill(`${name} elsewhere`);
  await other.getByRole("button", { name: "Update view" }).click();
  await expect(notice(other, "changes saved")).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill(`${name} here`);
  await page.getByRole("button", { name: "Update view" }).click();
  await expect(page.getByRole("alert")).toContainText("Helen Marsh changed this at");
  await expect(page.getByRole("region", { name: "Changed by another user" })).toContainText(`${name} elsewhere`);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(`${name} here`);
  await page.getByRole("button", { name: "Update view" }).click();
  await expect(notice(page, `View “${name} here”: changes saved`)).toBeVisible();
  await removeView(page, `${name} here`);
});
