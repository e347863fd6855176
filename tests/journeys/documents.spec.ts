import { expect, test, uniqueName } from "../support/journey.ts";
import { issue } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the list of documents has the specification's columns, five rows a page, and a pager", async ({ page }) => {
  await page.goto("/documents/list");
  const table = page.getByRole("table", { name: "Documents" });
  await expect(table.getByRole("columnheader")).toHaveText([
    "Document",
    "Branch",
    "User",
    "Category",
    "Date",
    "Number",
    "Action",
  ]);
  await expect(table.getByRole("rowheader")).toHaveCount(5);
  const lease = page.getByRole("row", { name: /Bank guarantee/ });
  await page.getByRole("link", { name: "10", exact: true }).click();
  await expect(lease.getByRole("cell")).toContainText([
    "Manchester Central",
    "Daniel Webb",
    "Bank",
    /\d\d-\d\d-\d{4}/,
    "NM-B5T6R4",
    "View",
  ]);
  await page.getByRole("link", { name: "5", exact: true }).click();
  await expect(table.getByRole("rowheader")).toHaveCount(5);
  await expect(page.getByText(/^1 - 5 of \d+$/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Previous" })).toBeDisabled();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText(/^6 - \d+ of \d+$/)).toBeVisible();
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText(/^1 - 5 of \d+$/)).toBeVisible();
});

test("a filter matches parts in any case, restarts at page one, and can be cleared", async ({ page }) => {
  await page.goto("/documents/list?page=2");
  await page.getByLabel("Name").fill("ALDOUS");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader")).toHaveText([
    "Supplier agreement, Aldous Paper",
    "Invoice 4471, Aldous Paper",
  ]);
  await expect(page.getByText("1 - 2 of 2")).toBeVisible();
  await expect(page).not.toHaveURL(/page=2/);
  await expect(page.getByLabel("Name")).toHaveValue("ALDOUS");
  await page.getByLabel("Email").fill("tom@");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(
    page.getByText("No document has “ALDOUS” in its name and has “tom@” in its user’s email."),
  ).toBeVisible();
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(5);
  await expect(page.getByLabel("Name")).toHaveValue("");
});

test("documents are filtered by branch and by date", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByLabel("Branch", { exact: true }).selectOption("Lancaster");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader")).toHaveText(["Vehicle permit, KX71 ODE"]);
  const date = await page.getByRole("cell", { name: /^\d\d-\d\d-\d{4}$/ }).textContent();
  await page.getByRole("link", { name: "Clear", exact: true }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(5);
  await page.getByLabel("Date").fill(date!.replaceAll("-", "/"));
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader")).toHaveText(["Vehicle permit, KX71 ODE"]);
});

test("columns sort in both directions", async ({ page }) => {
  await page.goto("/documents/list?per_page=50");
  await page.getByRole("columnheader", { name: "Document" }).getByRole("link").click();
  await expect(page.getByRole("columnheader", { name: "Document" })).toHaveAttribute("aria-sort", "ascending");
  const names = await page.getByRole("rowheader").allTextContents();
  expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  await page.getByRole("columnheader", { name: "Document" }).getByRole("link").click();
  await expect(page.getByRole("columnheader", { name: "Document" })).toHaveAttribute("aria-sort", "descending");
  await expect(page.getByRole("rowheader").first()).toHaveText(names.at(-1)!);
});

test("an invalid page number shows the first page", async ({ page }) => {
  for (const page_ of ["999", "-1", "x"]) {
    await page.goto(`/documents/list?page=${page_}`);
    await expect(page.getByText(/^1 - 5 of \d+$/)).toBeVisible();
  }
});

test("the archive has the same columns and filters", async ({ page, hasScripts }) => {
  const name = uniqueName("Paper for the archive");
  await issue(page, hasScripts, name);
  await page.getByRole("main").getByRole("link", { name: "Archive", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive document" }).click();
  await expect(page.getByText("In the archive")).toBeVisible();
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await page.goto("/documents/archive");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("columnheader")).toHaveCount(7);
  await expect(page.getByRole("rowheader")).toHaveText([name]);
  await expect(page.getByRole("link", { name: /^Edit/ })).toHaveCount(0);
});
