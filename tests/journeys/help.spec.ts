import { expect, test } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the guide is in the navigation before Logout, with five questions a page", async ({ page }) => {
  await page.goto("/dashboard");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation.getByRole("link").filter({ hasText: /^(Help|Logout)$/ })).toHaveText(["Help", "Logout"]);
  await navigation.getByRole("link", { name: "Help" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help");
  await expect(navigation.locator("[aria-current=page]")).toHaveText("Help");
  await expect(page.getByRole("article")).toHaveCount(5);
  await expect(page.getByText(/^1 - 5 of \d+$/)).toBeVisible();
  const first = await page.getByRole("article").first().innerText();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText(/^6 - 10 of \d+$/)).toBeVisible();
  await expect(page.getByRole("article").first()).not.toHaveText(first);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText(/^1 - 5 of \d+$/)).toBeVisible();
});

test("the guide is searched by question and answer, from any page", async ({ page }) => {
  await page.goto("/help?page=2");
  const search = async (words: string) => {
    await page.getByLabel("Search the guide").fill(words);
    await page.getByRole("button", { name: "Search" }).click();
  };
  await search("FORGOT MY PASS");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["I forgot my password. What now?"]);
  await expect(page.getByLabel("Search the guide")).toHaveValue("FORGOT MY PASS");
  // Of an answer.
  await search("whole company, their branch");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["Who can see a document?"]);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByRole("article")).toHaveCount(5);
});

test("a search without results says so, and links to the whole guide", async ({ page }) => {
  await page.goto("/help");
  await page.getByLabel("Search the guide").fill("submarine");
  await page.getByLabel("Search the guide").press("Enter");
  await expect(page.getByRole("heading", { name: "Answer not found in guide" })).toBeVisible();
  await expect(page.getByText("“submarine”")).toBeVisible();
  await page.getByRole("link", { name: "Show all questions" }).click();
  await expect(page.getByRole("article")).toHaveCount(5);
  await expect(page.getByLabel("Search the guide")).toHaveValue("");
});
