import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

/** Presses “Export CSV” on the open page. Gives the file's name and its lines, a cell each; no text in these tests has a quote. */
async function exported(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("main").getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const content = readFileSync(await download.path(), "utf8");
  expect(content.startsWith("\uFEFF")).toBe(true);
  const lines = content.slice(1).replace(/\r\n$/, "").split("\r\n");
  return { name: download.suggestedFilename(), lines: lines.map((line) => line.slice(1, -1).split('","')) };
}

const day = /\d{4}-\d\d-\d\d\.csv$/;

test("documents are exported with the list's filter and sorting, all pages", async ({ page }) => {
  await page.goto("/documents/list");
  const { name, lines } = await exported(page);
  expect(name).toMatch(new RegExp(`^documents-${day.source}`));
  expect(lines[0]).toEqual([
    "Document",
    "Branch",
    "User",
    "Email",
    "Category",
    "Date",
    "Number",
    "Status",
    "Expire date",
    "Company users access group",
  ]);
  expect(lines.length).toBeGreaterThanOrEqual(9);
  const lease = lines.find(([document]) => document === "Warehouse lease, unit 14")!;
  expect(lease.slice(1, 5)).toEqual(["Manchester Central", "Helen Marsh", "helen@hallam.example", "Contract"]);
  expect(lease[5]).toMatch(/^\d\d-\d\d-\d{4}$/);
  expect(lines.find(([document]) => document === "Service contract, Lune Cleaning")![7]).toBe("Exited");

  await page.goto("/documents/list?branch=Preston&sort=-name&page=1&per_page=10");
  const few = await exported(page);
  const names = few.lines.slice(1).map(([document]) => document!);
  expect(names.length).toBeGreaterThan(0);
  expect(names).toEqual(names.toSorted().toReversed());
  expect(new Set(few.lines.slice(1).map(([, branch]) => branch))).toEqual(new Set(["Preston"]));
});

test("the archive, users and the audit trail are exported", async ({ page }) => {
  await page.goto("/documents/6?dialog=archive");
  await page.getByRole("dialog").getByRole("button", { name: "Archive document" }).click();
  await expect(page.getByRole("status").filter({ hasText: "was archived" })).toBeVisible();
  const archived = await page.getByRole("heading", { level: 1 }).textContent();
  await page.goto("/documents/archive");
  const archive = await exported(page);
  expect(archive.name).toMatch(new RegExp(`^archive-${day.source}`));
  expect(archive.lines.slice(1).map(([name, , , , , , , status]) => [name, status])).toContainEqual([
    archived,
    "In force",
  ]);
  await page.goto("/documents/6?dialog=restore");
  await page.getByRole("dialog").getByRole("button", { name: "Restore document" }).click();
  await expect(page.getByRole("status").filter({ hasText: "restored" })).toBeVisible();

  await page.goto("/audit?action=Restored&actor=helen");
  const audit = await exported(page);
  expect(audit.name).toMatch(new RegExp(`^audit-trail-${day.source}`));
  expect(audit.lines[0]!.slice(0, 6)).toEqual(["Date", "Who", "What", "Record", "Kind", "Changes"]);
  expect(audit.lines[0]!.slice(6)).toEqual(["Trail", "Times", "First", "Browser", "Network", "API key"]);
  expect(audit.lines[1]!.slice(1, 6)).toEqual([
    "Helen Marsh",
    "Restored",
    archived,
    "Document",
    "Status: Archived → Active",
  ]);
});

test("branches are exported with address and manager", async ({ page }) => {
  await page.goto("/branches/list?country=IRELAND");
  const { name, lines } = await exported(page);
  expect(name).toMatch(new RegExp(`^branches-${day.source}`));
  expect(lines[0]).toEqual(["Name", "Email", "Phone", "Country", "City", "Index", "Address", "Manager", "ID"]);
  expect(lines.slice(1).map(([branch, , , country, city, , , manager]) => [branch, country, city, manager])).toEqual([
    ["Dublin Quay", "Ireland", "Dublin", "Helen Marsh"],
  ]);
});

test("alerts and scans are exported, with coordinates as numbers", async ({ page }) => {
  await page.goto("/alerts?alert=Fake");
  const alerts = await exported(page);
  expect(alerts.name).toMatch(new RegExp(`^alerts-${day.source}`));
  const lease = alerts.lines.find(([, document]) => document === "Warehouse lease, unit 14")!;
  expect(lease.slice(2, 5)).toEqual(["Manchester Central", "Fake scan", "No"]);
  expect(lease.slice(7, 9)).toEqual(["53.4794", "-2.2453"]);
  await page.goto("/map?kind=suspicions");
  const scans = await exported(page);
  expect(scans.name).toMatch(new RegExp(`^scans-${day.source}`));
  expect(scans.lines[0]!.slice(4)).toEqual([
    "Latitude",
    "Longitude",
    "Accuracy in metres",
    "Town or post code",
    "Place is",
    "Kind",
    "Copy",
  ]);
  expect(scans.lines.slice(1).map((line) => line.slice(4))).toContainEqual([
    "53.4794",
    "-2.2453",
    "40",
    "",
    "Measured",
    "Suspicion",
    "",
  ]);
});

test("spreadsheet formulas are exported as text", async ({ page }) => {
  const name = uniqueName("=HYPERLINK(1)");
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(`${name.replace(/\W+/g, "").toLowerCase()}@hallam.example`);
  await page.getByLabel("Phone").fill("+44 161 496 0100");
  await page.getByLabel("Access group").selectOption("Branch Inspector");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: "was added" })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  const { name: file, lines } = await exported(page);
  expect(file).toMatch(new RegExp(`^users-${day.source}`));
  expect(lines).toHaveLength(2);
  expect([lines[1]![0], lines[1]![2]]).toEqual([`'${name}`, "'+44 161 496 0100"]);
});

test("an export without a session leads to the sign-in, and from there to its list", async ({ page, context }) => {
  await context.clearCookies();
  await page.goto("/users/list.csv?name=tom");
  await expect(page).toHaveURL("/login?next=%2Fusers%2Flist%3Fname%3Dtom");
  await page.goto("/audit.csv");
  await expect(page).toHaveURL("/login?next=%2Faudit");
});

test("an empty list offers no export", async ({ page }) => {
  await page.goto("/users/list?name=nobody-is-called-so");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveCount(0);
});
