import type { Page } from "@playwright/test";
import { pageUserAt } from "../support/form-client.ts";
import { expect, test } from "../support/other-journey.ts";
import { otherSignIn, requestLines } from "../support/other-provider.ts";

/** What the specification has of its own: users' way back, questions, and plans (sections 2, 4 and 9). */

test.beforeEach(({ signInAs }) => signInAs());

const notice = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

test("a saved or added user leads to the users, with the notice", async ({ page }) => {
  await page.goto("/users/edit/7");
  await page.getByLabel("City").fill("Hull");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page).toHaveURL("/users/list");
  await expect(notice(page, "Olive Trent: changes saved")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Users");
  await page.goto("/users/new");
  await page.getByLabel("Name", { exact: true }).fill("Piet Punt");
  await page.getByLabel("Email").fill("piet@trent.example");
  await page.getByLabel("Access group").fill("Clerks");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page).toHaveURL("/users/list");
  await expect(notice(page, "Piet Punt was added")).toBeVisible();
});

test("the users are those that the provider names, filtered and exported, and the page says so", async ({
  page,
  other,
}) => {
  const rows = page.getByRole("table").getByRole("row");
  await page.goto("/users");
  await expect(page).toHaveURL("/users/list");
  await expect(page.getByText("Your provider does not offer a list of users")).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("Olive Trent");
  other.answers.set("GET /api/users", {
    body: [
      { id: 7, name: "Olive Trent" },
      { id: 9, name: "Ned Trent", active: false },
      { id: 8, name: "Ada Trent" },
    ],
  });
  await page.goto("/users/list?sort=name");
  await expect(rows).toHaveText([/^Name/, /^Ada Trent/, /^Olive Trent/]);
  await page.goto("/users/list?active=0");
  await expect(rows.nth(1)).toContainText("Ned Trent");
  await page.goto("/users/list?name=nobody");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  const csv = await (await page.request.get("/users/list.csv?name=ada")).text();
  expect(csv.split("\r\n").slice(1, 2)).toEqual([expect.stringContaining('"Ada Trent"')]);
});

test("the guide has Sealdesk's own questions, and can be searched", async ({ page }) => {
  await page.goto("/dashboard");
  await page.goto("/help");
  await expect(page.getByText("Your provider does not offer a guide")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(5);
  await expect(page.getByRole("article").first()).toContainText("How do I issue a document?");
  await page.getByRole("main").getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("article").last()).toContainText("without JavaScript");
  await page.getByLabel("Search the guide").fill("PAGE FILES");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("article").first()).toContainText("page files");
  await page.goto("/help?search=unicorn");
  await expect(page.getByRole("heading", { name: "Answer not found in guide" })).toBeVisible();
});

const plans = [
  ["BronzeState 1", "1", "£50", "£50.00", "100", "£0.63"],
  ["BronzeState 2", "2-5", "£45", "£225.00", "500", "£0.56"],
  ["SilverState 1", "6-10", "£40", "£400.00", "1,000", "£0.50"],
  ["SilverState 2", "11-25", "£35", "£875.00", "1,500", "£0.44"],
  ["GoldState 1", "26-50", "£30", "£1,500.00", "2,500", "£0.38"],
  ["GoldState 2", "51-100", "£25", "£2,500.00", "5,000", "£0.31"],
  ["PlatinumState", "101-250", "£20", "£5,000.00", "10,000", "£0.25"],
  ["BrilliantState", "from 251", "by agreement", "by agreement", "by agreement", "by agreement"],
] as const;

test("the tariffs are the specification's, and the chosen one becomes active in this browser alone", async ({
  page,
  other,
  browser,
  baseURL,
}) => {
  await page.goto("/dashboard");
  await page.getByRole("banner").getByRole("link", { name: "SilverState 1" }).click();
  await expect(page.getByText("Your provider does not offer tariffs")).toBeVisible();
  for (const [name, ...terms] of plans) {
    const row = page.getByRole("row").filter({ hasText: name });
    for (const term of terms) await expect(row, name).toContainText(term);
  }
  await expectActive(page, "SilverState 1");

  await page.getByRole("link", { name: "Choose GoldState 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Change to GoldState 1" }).click();
  await expect(notice(page, "You are now on GoldState 1")).toBeVisible();
  await expectActive(page, "GoldState 1");
  await page.goto("/dashboard");
  await expect(page.getByRole("banner")).toContainText("GoldState 1");

  // No provider has been told, a made-up plan is refused, and one by agreement leads to whom to ask.
  expect(requestLines(other).filter((line) => line.startsWith("PUT"))).toEqual([]);
  for (const tariff of ["8", "99"]) {
    const form = { page_user: await pageUserAt(page), tariff };
    const answer = await page.request.post("/tariffs", { form });
    expect(await answer.text(), tariff).toContain("Choose a tariff from the list");
  }
  await page.goto("/tariffs");
  await expectActive(page, "GoldState 1");
  await page.getByRole("link", { name: "Contact us about BrilliantState" }).click();
  await expect(page.getByRole("dialog")).toContainText("agreed");

  const elsewhere = await browser.newContext({ baseURL: baseURL! });
  await elsewhere.request.post("/login", { form: otherSignIn, maxRedirects: 0 });
  expect(await (await elsewhere.request.get("/tariffs")).text()).toContain("Your company is on SilverState 1.");
  await elsewhere.close();
});

test("another user who signs in on the same browser does not get the first one's plan", async ({
  page,
  context,
  other,
}) => {
  await context.request.post("/tariffs", { form: { page_user: await pageUserAt(page), tariff: "5" } });
  await page.goto("/tariffs");
  await expectActive(page, "GoldState 1");
  await context.request.post("/logout");
  other.answers.set("GET /api/users", { body: { id: 9, name: "Ned Trent" } });
  await context.request.post("/login", { form: otherSignIn, maxRedirects: 0 });
  await page.goto("/tariffs");
  await expectActive(page, "SilverState 1");
});

async function expectActive(page: Page, name: string) {
  const active = page.getByRole("row").filter({ has: page.getByText("Your plan", { exact: true }) });
  await expect(active).toHaveCount(1);
  await expect(active).toContainText(name);
  await expect(page.getByText(`Your company is on ${name}.`)).toBeVisible();
  await expect(page.getByRole("banner")).toContainText(name);
}
