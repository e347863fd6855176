import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("a rule is previewed, set, and reset to its defaults", async ({ page }) => {
  await page.goto("/settings");
  await page.getByRole("link", { name: "Alert rules" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Alert rules");
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: /^Burst of scans/ }) });
  await row.getByRole("link", { name: "Edit Burst of scans" }).click();
  await page.getByLabel("Devices").fill("1");
  await page.getByLabel("Minutes").fill("30");
  await page.getByRole("button", { name: "Preview last month" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter how many devices, from 2 to 100");
  await expect(page.getByLabel("Minutes")).toHaveValue("30");
  await page.getByLabel("Devices").fill("2");
  await page.getByRole("button", { name: "Preview last month" }).click();
  const preview = page.getByRole("status", { name: "Preview" });
  await expect(preview).toContainText(/\d+ alerts? with these thresholds, \d+ alerts? in fact/);
  await expect(preview).toContainText(/2 devices or more within 30 minutes: [\d,]+ scans? from/);
  await expect(page.getByLabel("Devices")).toHaveValue("2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Burst of scans: changes saved")).toBeVisible();
  await expect(row).toContainText("2 devices or more within 30 minutes");

  await row.getByRole("link", { name: "Edit Burst of scans" }).click();
  await page.getByLabel("Raise alerts by this rule").uncheck();
  await page.getByLabel("Devices").fill("many");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter how many devices, from 2 to 100");
  await expect(page.getByLabel("Raise alerts by this rule")).not.toBeChecked();
  await page.getByLabel("Devices").fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Not active");

  await page.goto("/audit?entity=alert+rule");
  await expect(page.getByRole("link", { name: "Burst of scans" }).first()).toHaveAttribute("href", "/alerts/rules");
  await page.goto("/alerts/rules/burst");
  await page.getByRole("button", { name: "Reset to the defaults" }).click();
  await expect(page.getByText("Burst of scans: reset to the defaults")).toBeVisible();
  await expect(row).toContainText("20 devices or more within 10 minutes");
  await expect(row.getByText("Active", { exact: true })).toBeVisible();
});

test("a rule that was set in another tab is refused once, and may be set then", async ({ page, context }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto("/alerts/rules/burst");
  const set = async (tab: typeof page, minutes: string) => {
    await tab.getByLabel("Minutes").fill(minutes);
    await tab.getByRole("button", { name: "Save" }).click();
  };
  await set(other, "11");
  await expect(other.getByText("Burst of scans: changes saved")).toBeVisible();
  await set(page, "12");
  await expect(page.getByRole("alert")).toContainText("Helen Marsh changed this at");
  await expect(page.getByLabel("Minutes")).toHaveValue("12");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Burst of scans: changes saved")).toBeVisible();
  await page.goto("/alerts/rules/burst");
  await page.getByRole("button", { name: "Reset to the defaults" }).click();
});

test("a preview lists alerts with links to their documents", async ({ page }) => {
  await page.goto("/alerts/rules/withdrawn");
  await page.getByRole("button", { name: "Preview last month" }).click();
  await expect(page.getByRole("table", { name: "Alerts with these thresholds" })).toContainText(
    /No alert|Alert raised/,
  );
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/documents\/\d+$/);
});

test("the evidence of an alert is saved as a PDF", async ({ page }) => {
  await page.goto("/alerts/12");
  await unfold(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Evidence (PDF)" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^AL-\d{6} evidence\.pdf$/);
  const { stdout } = await promisify(execFile)("pdftotext", [await download.path(), "-"]);
  expect(stdout).toMatch(/Evidence of alert AL-\d{6}/);
  expect(stdout).toContain("Scans behind the alert");
});

test("users without the right in the whole company see no rules", async ({ page, context, signInAs }) => {
  await context.clearCookies();
  await signInAs("priya@hallam.example");
  await page.goto("/settings");
  await expect(page.getByRole("link", { name: "Alert rules" })).toHaveCount(0);
  await page.goto("/alerts/rules");
  await expect(page.getByText("Your access group does not let you set alert rules.")).toBeVisible();
});
