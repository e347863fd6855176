import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { alertsOf, issued, phone, scanAt } from "../support/visitor.ts";

test("the list of alerts has the specification's columns and filters, and words beside colours", async ({
  page,
  signInAs,
}) => {
  await signInAs();
  await page.goto("/dashboard");
  await expect(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^\d+ open alerts$/ }),
  ).toBeVisible();
  await page.goto("/alerts");
  for (const name of ["Name", "Branch", "Alert", "Date", "Actions"]) {
    await expect(page.getByRole("columnheader", { name, exact: true })).toBeVisible();
  }
  await expect(page.getByRole("cell", { name: "Burst of scans" })).toContainText("Completed");
  await expect(page.getByRole("cell", { name: /^\d{4}-\d{2}-\d{2}$/ })).toHaveCount(5);
  const search = page.getByRole("search");
  const date = await page
    .getByRole("cell", { name: /^\d{4}-\d{2}-\d{2}$/ })
    .first()
    .innerText();
  await expect(search.getByLabel("Date")).toHaveAttribute("placeholder", "YYYY-MM-DD");
  for (const part of [date.slice(0, 7), date.slice(0, 4), date.split("-").toReversed().join("-").slice(0, 5)]) {
    await search.getByLabel("Date").fill(part);
    await search.getByRole("button", { name: "Filter" }).click();
    await expect(page).toHaveURL((url) => url.searchParams.get("date") === part);
    await expect(page.getByRole("cell", { name: date }).first()).toBeVisible();
    await expect(search.getByLabel("Date")).not.toHaveAttribute("aria-invalid");
  }
  await search.getByLabel("Date").fill("");
  await search.getByLabel("Alert type").selectOption("Completed");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("row")).toHaveCount(6);
  await expect(page.getByText("Completed:")).toHaveCount(5);
  await search.getByLabel("Alert type").selectOption("All types");
  await search.getByLabel("Status").selectOption("All open");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("Completed:")).toHaveCount(0);
  await page.getByRole("link", { name: /open alerts$/ }).click();
  await expect(page).toHaveURL("/alerts?state=open");
  await expect(search.getByLabel("Status")).toHaveValue("open");
  await search.getByLabel("Name", { exact: true }).fill("no such name");
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("a complaint is found by what the visitor wrote, and stands whole on its page", async ({
  page,
  server,
  browser,
  signInAs,
}) => {
  const { code, name } = await issued(server.url);
  const beginning = `The address on the ${name} is that of the old office`;
  const texts = [`${beginning}.\nThe firm has moved to the quay, and letters come back.`, "It has no stamp"];
  const visitor = await browser.newContext({ userAgent: phone, baseURL: server.url });
  for (const text of texts) {
    const paper = await visitor.newPage();
    await paper.goto(`/v/${code}`);
    await paper.getByText("Report a problem").first().click();
    await paper.getByLabel("What is wrong").fill(text);
    await paper.getByRole("button", { name: "Send report" }).click();
    await expect(paper.getByText("Thank you")).toBeVisible();
  }
  await visitor.close();

  await signInAs();
  await page.goto("/alerts");
  const search = page.getByRole("search");
  await unfold(search);
  await search.getByLabel("Reason or complaint").fill(`the address on the ${name}`.toUpperCase());
  await search.getByRole("button", { name: "Filter" }).click();
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  await expect(page.getByRole("rowheader")).toHaveCount(1);
  await expect(row.getByRole("cell", { name: /Complaint/ })).toContainText(`“${beginning}`.slice(0, 60));
  await expect(row).toContainText("…”");
  await expect(row).not.toContainText("letters come back");
  await row.getByRole("rowheader").getByRole("link").click();
  for (const text of texts) await expect(page.locator("h1 + .lead")).toContainText(text);
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
  const fact = (label: string) => page.locator("dl > div").filter({ hasText: label }).getByRole("definition");
  await expect(fact("Reopened because")).toHaveText("They called again");
  await expect(fact("Note when completed")).toHaveText("Spoke with them\nand sent a copy");
  await expect(page.getByRole("term").filter({ hasText: /^Note$/ })).toHaveCount(0);
  await page.getByRole("link", { name: "History" }).click();
  for (const text of ["Spoke with them", "They called again"]) {
    await expect(page.getByRole("table", { name: "History" })).toContainText(text);
  }
});

test("an alert shows where and why, and links to its document and similar alerts", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/alerts?alert=Fake");
  await page.getByRole("rowheader", { name: "Warehouse lease, unit 14" }).getByRole("link").click();
  for (const fact of ["Alert number", "Alert type", "Date", "Document name", "GPS latitude", "GPS longitude"]) {
    await expect(page.getByRole("term").filter({ hasText: fact })).toBeVisible();
  }
  await expect(page.getByText("nobody travels that fast")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/ })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "53.4794" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Similar alerts" })).toContainText("Same document");
  await page.getByRole("definition").getByRole("link", { name: "Warehouse lease, unit 14" }).click();
  await expect(page).toHaveURL(/\/documents\/\d+$/);
});

test("users who may only read alerts are offered no action", async ({ page, signInAs }) => {
  await signInAs("priya@hallam.example");
  await page.goto("/alerts");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page.getByRole("link", { name: "Back to the list of alerts" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^(Complete|Reopen)$/ })).toHaveCount(0);
  await page.goto("/alerts?alert=Fake&number=NM-4C7H29");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(
    page.getByText("the position is rounded, because your access group may not change alerts"),
  ).toBeVisible();
});

test("an alert of impossible travel has both places, in words and on its map", async ({
  page,
  server,
  playwright,
  signInAs,
}) => {
  const { code, name } = await issued(server.url);
  const visitor = await playwright.request.newContext();
  const [suva, apia] = [
    { latitude: -18.1416, longitude: 178.4419 },
    { latitude: -13.8333, longitude: -171.7667 },
  ];
  await scanAt(visitor, server.url, code, [suva, apia]);
  const table = await alertsOf(page, name, signInAs);
  await table.getByRole("rowheader").getByRole("link").click();
  await expect(page.getByText(/at places \d+ km apart/)).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "-171.7667" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "-18.1416, 178.4419 on" })).toBeVisible();
  const map = page.getByRole("img", { name: "Where it was scanned" });
  await expect(map.getByText("180°", { exact: true })).toBeVisible();
  await expect(map.locator(".map-pin")).toHaveCount(2);
});
