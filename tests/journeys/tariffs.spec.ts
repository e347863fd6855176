import { pageUserAt } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";

// A server of its own: other journeys read the plan of the sample company, and these count its five users.
test.use({ serverEnv: { CONTACT: "mailto:plans@hallam.example" } });

test.beforeEach(({ signInAs }) => signInAs());

test("the plan in the header links to the eight tariffs, with this month's usage and bill", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("banner").getByRole("link", { name: "SilverState 1" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tariffs");
  await expect(page.getByText("Your company is on SilverState 1.")).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveText([
    "Name",
    "Status",
    "Min users",
    "Per user price",
    "Min monthly bill",
    "Pages",
    "Additional page costs",
    "Action",
  ]);
  await expect(page.getByRole("rowheader")).toHaveCount(8);
  const cells = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell");
  await expect(cells("BronzeState 2")).toHaveText(["Not active", "2-5", "£45", "£225.00", "500", "£0.56", /^Choose/]);
  await expect(cells("SilverState 1")).toHaveText(["Active", "6-10", "£40", "£400.00", "1,000", "£0.50", "Your plan"]);
  const agreed = Array.from({ length: 4 }, () => "by agreement");
  await expect(cells("BrilliantState")).toHaveText(["Not active", "from 251", ...agreed, /^Contact us/]);
  const usage = page.getByRole("region", { name: /^Usage in \w+ \d{4}$/ });
  await expect(usage.getByRole("definition")).toHaveText([/^56-10/, /^\d+of 1,000 included$/, /^0£0.50/, /^£400.00/]);
});

test("a tariff is changed after confirming; header, list and bill follow at once", async ({ page }) => {
  await page.goto("/tariffs");
  await page.getByRole("link", { name: "Choose GoldState 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Change tariff" });
  await expect(dialog).toContainText("You are about to move from SilverState 1 to GoldState 1.");
  await expect(dialog.getByRole("row", { name: /^Min monthly bill/ })).toContainText("£400.00£1,500.00");
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("link", { name: "Choose GoldState 1" }).click();
  await dialog.getByRole("button", { name: "Change to GoldState 1" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Your company is now on GoldState 1" })).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("GoldState 1");
  await expect(page.getByRole("row", { name: /^GoldState 1/ })).toContainText("Your plan");
  await expect(page.getByText("£1,500.00the tariff’s minimum")).toBeVisible();
  await page.getByRole("link", { name: "Choose SilverState 1" }).click();
  await dialog.getByRole("button", { name: "Change to SilverState 1" }).click();
  await expect(page.getByRole("banner")).toContainText("SilverState 1");
});

test("a tariff for fewer users than the company has is refused in the dialog", async ({ page }) => {
  await page.goto("/tariffs");
  await page.getByRole("link", { name: "Choose BronzeState 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Change tariff" });
  await dialog.getByRole("button", { name: "Change to BronzeState 1" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "BronzeState 1 is for 1 user; you have 5: choose a tariff for more, or remove users first",
  );
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("banner")).toContainText("SilverState 1");
});

test("a tariff by agreement says whom to contact, and can't be chosen", async ({ page, baseURL }) => {
  await page.goto("/tariffs");
  await page.getByRole("link", { name: "Contact us about BrilliantState" }).click();
  const dialog = page.getByRole("dialog", { name: "Contact us" });
  await expect(dialog).toContainText("The prices and pages of BrilliantState, from 251 users, are agreed");
  await expect(dialog.getByRole("link", { name: "plans@hallam.example" })).toHaveAttribute(
    "href",
    "mailto:plans@hallam.example?subject=BrilliantState",
  );
  await dialog.getByRole("link", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
  const headers = { origin: baseURL! };
  for (const [tariff, status, words] of [
    ["8", 409, "BrilliantState is by agreement: contact us"],
    ["99", 422, "Choose a tariff from the list"],
  ] as const) {
    const form = { page_user: await pageUserAt(page), tariff };
    const answer = await page.request.post("/tariffs", { form, headers });
    expect(answer.status()).toBe(status);
    expect(await answer.text()).toContain(words);
  }
});

test("users who may only read tariffs see no button that would be refused", async ({ page, context, signInAs }) => {
  await context.clearCookies();
  await signInAs("daniel@hallam.example");
  await page.goto("/tariffs?dialog=change&at=5");
  await expect(page.getByRole("row", { name: /^GoldState 1/ })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^Choose/ })).toHaveCount(0);
});
