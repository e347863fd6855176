import { expect, test, uniqueName } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { issued } from "../support/visitor.ts";
import { issue } from "../support/wizard.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the list of documents has the specification's columns, five rows a page, and a pager", async ({ page }) => {
  await page.goto("/documents/list");
  const table = page.getByRole("table", { name: "Documents" });
  await expect(table.getByRole("columnheader")).toHaveText([
    "Select",
    "Document",
    "Branch",
    "User",
    "Category",
    "Date",
    "Number",
    "Action",
  ]);
  await expect(table.getByRole("rowheader")).toHaveCount(5);
  await page.getByRole("button", { name: "10", exact: true }).click();
  await expect(page.getByText(/^1 - 10 of \d+$/)).toBeVisible();
  // Other journeys have issued newer ones.
  await page.getByLabel("Number").fill("NM-B5T6R4");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row", { name: /Bank guarantee/ }).getByRole("cell")).toContainText([
    "",
    "Manchester Central",
    "Daniel Webb",
    "Bank",
    /\d\d-\d\d-\d{4}/,
    "NM-B5T6R4",
    "View",
  ]);
  await page.goto("/documents/list");
  await page.getByRole("button", { name: "5", exact: true }).click();
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

test("a part of a date finds what contains it, without an error", async ({ page }) => {
  await page.goto("/documents/list");
  const date = await page
    .getByRole("cell", { name: /^\d\d-\d\d-\d{4}$/ })
    .first()
    .innerText();
  for (const part of [date.slice(3), date.slice(6), date.slice(0, 5), date.slice(3).replace("-", "/")]) {
    // Anew, as the answer to a filter replaces what is typed meanwhile.
    await page.goto("/documents/list");
    await page.getByLabel("Date").fill(part);
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByRole("cell", { name: date }).first()).toBeVisible();
    await expect(page.getByLabel("Date")).not.toHaveAttribute("aria-invalid");
  }
  await page.goto("/documents/list");
  await page.getByLabel("Date").fill("12-1999");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No document is dated 12-1999.")).toBeVisible();
});

test("documents are filtered by branch and by date", async ({ page, server }) => {
  const name = uniqueName("Dated");
  const lancaster = { name: `${name} Lancaster`, email: "aoife@hallam.example", date: "03-02-2024" };
  for (const fields of [lancaster, { name: `${name} Manchester`, date: "04-02-2024" }])
    await issued(server.url, fields);
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await page.getByLabel("Branch", { exact: true }).selectOption("Lancaster");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader")).toHaveText([lancaster.name]);
  await page.getByRole("link", { name: "Clear", exact: true }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(5);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Date").fill("04/02/2024");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader")).toHaveText([`${name} Manchester`]);
});

test("a document is found by a part of the number on its paper, in any case", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByLabel("Number").fill("m-4c7h");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader")).toHaveText(["Warehouse lease, unit 14"]);
  await page.getByLabel("Number").fill("NM-NONE");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No document has “NM-NONE” in its number.")).toBeVisible();
});

test("exited and expired documents are marked, and found by their status", async ({ page, server }) => {
  const name = uniqueName("Paper of another time");
  const address = await issue(page, server.url, name);
  await page.goto("/documents/list?per_page=50&sort=-date");
  const row = (name: string) => page.getByRole("rowheader").filter({ hasText: name });
  await expect(row(name)).toHaveText(name);
  await expect(row("Event permit, open day")).toContainText("Expired");
  await expect(row("Service contract, Lune Cleaning")).toContainText("Exited");
  await page.goto(`${address}?dialog=exit`);
  await page.getByRole("dialog").getByLabel("Reason").selectOption("Another reason");
  await page.getByRole("dialog").getByRole("button", { name: "Mark as exited" }).click();
  await expect(page.getByText("Not active")).toBeVisible();
  await page.goto("/dashboard");
  await expect(page.getByRole("table", { name: "Documents" })).toContainText("Exited");

  await page.goto("/documents/list?per_page=50");
  const filterBy = async (status: string) => {
    await unfold(page.getByRole("search"));
    await page.getByLabel("Status").selectOption(status);
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByText(`More filters: Status “${status}”`)).toBeVisible();
    await expect(page.getByRole("link", { name: "Clear", exact: true })).toBeVisible();
  };
  await filterBy("Exited");
  await expect(row(name)).toContainText("Exited");
  await expect(row("Event permit, open day")).toHaveCount(0);
  await filterBy("Expired");
  await expect(row("Event permit, open day")).toContainText("Expired");
  await expect(row(name)).toHaveCount(0);
  await filterBy("In force");
  await expect(row("Warehouse lease, unit 14")).toHaveText("Warehouse lease, unit 14");
  await expect(row("Employers’ liability policy")).toHaveCount(1);

  await page.goto(`${address}?dialog=archive`);
  await page.getByRole("dialog").getByRole("button", { name: "Archive document" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await page.goto("/documents/archive?status=withdrawn");
  await expect(row(name)).toContainText("Exited");
});

test("documents that expire soon are found by their status, with their dates", async ({ page }) => {
  await page.goto("/documents/list?per_page=50");
  await unfold(page.getByRole("search"));
  await page.getByLabel("Status").selectOption("Expiring in 30 days");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/status=expiring$/);
  await expect(page.getByLabel("Status")).toHaveValue("expiring");
  const rows = page.getByRole("rowheader");
  for (const name of ["Skip permit, Castle Hill", "Gas safety certificate", "Extinguisher service", "Fire safety"]) {
    await expect(rows.filter({ hasText: name })).toContainText(/Expires \d\d-\d\d-\d{4}/);
  }
  for (const name of ["Warehouse lease, unit 14", "Event permit, open day", "Lease of a storage room"]) {
    await expect(rows.filter({ hasText: name })).toHaveCount(0);
  }
  await page.goto("/documents/archive?status=Expiring+in+30+days");
  await expect(page.getByText("No document is expiring in 30 days.")).toBeVisible();
});

test("columns sort in both directions", async ({ page }) => {
  // No other journey issues permits by the dozen.
  await page.goto("/documents/list?per_page=50&name=permit");
  await page.getByRole("columnheader", { name: "Document" }).getByRole("button").click();
  await expect(page.getByRole("columnheader", { name: "Document" })).toHaveAttribute("aria-sort", "ascending");
  const names = await page.getByRole("rowheader").getByRole("link").allTextContents();
  expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  await page.getByRole("columnheader", { name: "Document" }).getByRole("button").click();
  await expect(page.getByRole("columnheader", { name: "Document" })).toHaveAttribute("aria-sort", "descending");
  await expect(page.getByRole("rowheader").first().getByRole("link")).toHaveText(names.at(-1)!);
});

test("the archive has the same columns and filters", async ({ page, server }) => {
  const name = uniqueName("Paper for the archive");
  await issue(page, server.url, name);
  await page.getByRole("main").getByRole("link", { name: "Archive", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive document" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await page.goto("/documents/archive");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("columnheader")).toHaveCount(8);
  await expect(page.getByRole("rowheader")).toHaveText([name]);
  await expect(page.getByRole("link", { name: /^Edit/ })).toHaveCount(0);
});

test("documents are filtered from a day to another", async ({ page, server }) => {
  const name = uniqueName("Of some days");
  for (const date of ["03-02-2024", "04-02-2024", "05-02-2024"])
    await issued(server.url, { name: `${name} ${date}`, date });
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await unfold(page.getByRole("search"));
  await page.getByLabel("From", { exact: true }).fill("04-02-2024");
  await page.getByLabel("To", { exact: true }).fill("04/02/2024");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("rowheader")).toHaveText([`${name} 04-02-2024`]);
  await expect(page.getByText("More filters: From “04-02-2024”, To “04/02/2024”")).toBeVisible();
});

test("a value of a filter that is none of its keys is said, and can't be saved as a view", async ({ page }) => {
  await page.goto("/documents/list?status=lost");
  await expect(page.getByText("“lost” is not one of the choices")).toBeVisible();
  await expect(page.getByRole("link", { name: "Save as a view" })).toHaveCount(0);
  await page.goto("/documents/list?status=EXPIRED");
  await expect(page.getByLabel("Status")).toHaveValue("expired");
  await expect(page.getByRole("link", { name: "Save as a view" })).toBeVisible();
});
