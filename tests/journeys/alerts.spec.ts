import { expect, test } from "../support/journey.ts";

test("the list of alerts has the specification's columns and filters, and words beside colours", async ({
  page,
  signInAs,
}) => {
  await signInAs();
  await page.goto("/dashboard");
  const entry = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Alerts/ });
  await expect(entry).toContainText("open alerts");
  await page.goto("/alerts");
  for (const name of ["Name", "Branch", "Alert", "Date", "Actions"]) {
    await expect(page.getByRole("columnheader", { name, exact: true })).toBeVisible();
  }
  await expect(page.getByRole("cell", { name: "Burst of scans" })).toContainText("Completed");
  await expect(page.getByRole("cell", { name: /^\d{4}-\d{2}-\d{2}$/ })).toHaveCount(5);
  const search = page.getByRole("search");
  await search.getByLabel("Alert type").selectOption("Completed");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row")).toHaveCount(3);
  await search.getByLabel("Name").fill("no such name");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("an alert is completed with a note and reopened with a reason", async ({ page, signInAs, hasScripts }) => {
  await signInAs();
  await page.goto("/alerts?alert=Complaint&sort=date");
  // Each of the two projects has one of its own.
  const name = hasScripts ? "Supplier agreement, Aldous Paper" : "Warehouse lease, unit 14";
  await page.getByRole("rowheader", { name }).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Complaint: ${name}`);
  await page.getByRole("link", { name: "Complete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Complete alert" }).click();
  await expect(page.getByRole("dialog")).toContainText("Enter a note: what was found, or what was done");
  await page.getByLabel("Note").fill("Spoke with them\nand sent a copy");
  await page.getByRole("dialog").getByRole("button", { name: "Complete alert" }).click();
  await expect(page.getByRole("status").filter({ hasText: "completed" })).toBeVisible();
  await expect(page.getByText("Completed: Complaint")).toBeVisible();
  await expect(page.getByText("and sent a copy")).toBeVisible();
  await page.getByRole("link", { name: "Reopen" }).click();
  await page.getByLabel("Reason").fill("They called again");
  await page.getByRole("dialog").getByRole("button", { name: "Reopen alert" }).click();
  await expect(page.getByRole("status").filter({ hasText: "reopened" })).toBeVisible();
  await expect(page.getByText("They called again")).toBeVisible();
});

test("an alert shows where and why, and links to its document and its other alerts", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/alerts?alert=Fake");
  await page.getByRole("rowheader", { name: "Warehouse lease, unit 14" }).getByRole("link").click();
  for (const fact of ["Alert number", "Alert type", "Date", "Document name", "GPS latitude", "GPS longitude"]) {
    await expect(page.getByRole("term").filter({ hasText: fact })).toBeVisible();
  }
  await expect(page.getByText("nobody travels that fast")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "53.4794" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Other alerts for this document" })).toContainText("Complaint");
  await page.getByRole("definition").getByRole("link", { name: "Warehouse lease, unit 14" }).click();
  await expect(page).toHaveURL(/\/documents\/\d+$/);
});

test("users who may only read alerts are offered no action", async ({ page, signInAs }) => {
  await signInAs("priya@hallam.example");
  await page.goto("/alerts");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page.getByRole("link", { name: "Back to the list of alerts" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^(Complete|Reopen)$/ })).toHaveCount(0);
});
