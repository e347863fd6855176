import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { addBranch } from "../support/branches.ts";
import { notice } from "../support/page-parts.ts";

test.beforeEach(({ signInAs }) => signInAs());

/** Whether the page's address has these parameters. */
const expectAddress = (page: Page, path: string, parameters: Record<string, string>) =>
  expect
    .poll(() => {
      const { pathname, searchParams } = new URL(page.url());
      return [pathname, Object.fromEntries(searchParams)];
    })
    .toEqual([path, parameters]);

const filter = (page: Page) => page.getByRole("search").getByRole("button", { name: "Filter" }).click();

test("a document leads back to the list as it was left: filters, order and rows per page", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByRole("button", { name: "10", exact: true }).click();
  await expect(page.getByText(/^1 - ([6-9]|10) of/)).toBeVisible();
  await page.getByLabel("Name").fill("aldous");
  await filter(page);
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await page.getByRole("columnheader", { name: "Document" }).getByRole("button").click();
  const state = { per_page: "10", name: "aldous", sort: "name" };
  await expectAddress(page, "/documents/list", state);
  await page.getByRole("link", { name: "Invoice 4471, Aldous Paper", exact: true }).click();
  await page.getByRole("link", { name: "Custom properties" }).click();
  await expect(page.getByRole("link", { name: "Custom properties" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("main").getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("link", { name: "Back to Invoice 4471, Aldous Paper" }).click();
  await page.getByRole("link", { name: "Back to the list of documents" }).click();
  await expectAddress(page, "/documents/list", state);
  await expect(page.getByLabel("Name")).toHaveValue("aldous");
  await expect(page.getByRole("rowheader")).toHaveCount(2);
});

test("a user or a branch that was changed leads to the list as it was left; so does Cancel", async ({ page }) => {
  const name = uniqueName("Zeal");
  await addBranch(page, name);
  await page.goto("/branches/list?country=kingdom&sort=-name");
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit branch");
  await page.getByLabel("Phone").fill("01772 496 001");
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(notice(page, `${name}: changes saved`)).toBeVisible();
  await expectAddress(page, "/branches/list", { country: "kingdom", sort: "-name" });

  await page.goto("/users/list?city=preston");
  await page.getByRole("link", { name: "Edit Priya Nair" }).click();
  await page.getByRole("main").getByRole("link", { name: "Cancel" }).click();
  await expectAddress(page, "/users/list", { city: "preston" });
  await page.getByRole("link", { name: "Edit Priya Nair" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit user");
  // A refused form leads back there as well.
  await page.getByLabel("Name").fill("");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByLabel("Name").fill("Priya Nair");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(notice(page, "Priya Nair: changes saved")).toBeVisible();
  await expectAddress(page, "/users/list", { city: "preston" });
});

test("the form of a user or a branch leads back to the record, and that to the list as it was left", async ({
  page,
}) => {
  for (const [list, name, record] of [
    ["/users/list?city=preston", "Priya Nair", /^\/users\/view\/\d+/],
    ["/branches/list?country=kingdom", "Preston", /^\/branches\/view\/\d+/],
  ] as const) {
    await page.goto(list);
    await page.getByRole("link", { name: `Edit ${name}` }).click();
    await page.getByRole("link", { name: `Back to ${name}` }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
    expect(new URL(page.url()).pathname).toMatch(record);
    await page.getByRole("link", { name: /^Back to the list of/ }).click();
    await expectAddress(page, list.split("?")[0]!, Object.fromEntries(new URLSearchParams(list.split("?")[1])));
  }
});

test("each tab leads back to its own list, also after the page was reloaded", async ({ page, context }) => {
  await page.goto("/alerts?alert=Complaint");
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByRole("link", { name: "Back to the list of alerts" })).toBeVisible();
  const other = await context.newPage();
  await other.goto("/alerts?per_page=10");
  await other.getByRole("rowheader").first().getByRole("link").click();
  await page.reload();
  await page.getByRole("link", { name: "Back to the list of alerts" }).click();
  await expectAddress(page, "/alerts", { alert: "Complaint" });
  await other.getByRole("link", { name: "Back to the list of alerts" }).click();
  await expectAddress(other, "/alerts", { per_page: "10" });
});

test("filters that are not in use stay out of the address", async ({ page }) => {
  await page.goto("/documents/list");
  await page.getByLabel("Name").fill("aldous");
  await filter(page);
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await expectAddress(page, "/documents/list", { name: "aldous" });
  await page.goto("/help");
  await page.getByRole("button", { name: "Search" }).click();
  await expectAddress(page, "/help", {});
});

test("rows per page are remembered in every list", async ({ page }) => {
  await page.goto("/documents/list");
  await expect(page.getByRole("rowheader")).toHaveCount(5);
  await page.getByRole("button", { name: "10", exact: true }).click();
  await expect(page.getByText(/^1 - ([6-9]|10) of/)).toBeVisible();
  await page.goto("/help");
  await expect(page.getByText(/^1 - 10 of/)).toBeVisible();
  await page.goto("/branches/view/1?tab=users");
  await expect(page.getByRole("link", { name: "4", exact: true })).toBeVisible();
  await page.goto("/documents/list");
  await page.getByRole("button", { name: "5", exact: true }).click();
  await expect(page.getByText(/^1 - 5 of/)).toBeVisible();
  await page.goto("/help");
  await expect(page.getByText(/^1 - 5 of/)).toBeVisible();
});
