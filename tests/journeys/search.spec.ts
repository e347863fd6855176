import { expect, test } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

const search = "/search?q=";

test("a text is searched from the header of any page, and what was found is marked", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/alerts");
  await page.getByRole("searchbox", { name: "Find" }).fill("LEASE");
  await page.getByRole("searchbox", { name: "Find" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Search");
  await expect(page.getByLabel("Search for")).toHaveValue("LEASE");
  const documents = page.getByRole("region", { name: "Documents" });
  await expect(documents.locator("mark").first()).toHaveText(/^lease$/i);
  await documents.getByRole("link", { name: "Show all documents with “LEASE”" }).click();
  await expect(page).toHaveURL(/\/documents\/list\?name=LEASE$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documents");
});

test("on a narrow screen the header's button opens the page of the search", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/dashboard");
  await page.getByRole("search", { name: "Header" }).getByRole("button", { name: "Find" }).click();
  await page.getByLabel("Search for").fill("helen marsh");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("region", { name: "Users" }).getByRole("link", { name: "Helen Marsh", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Helen Marsh");
});

test("a document's number, a code's address, an alert's number and an email go straight to their pages", async ({
  page,
}) => {
  await page.goto("/documents/1");
  const heading = await page.getByRole("heading", { level: 1 }).innerText();
  const code = await page
    .getByText(/\/v\/[\dA-Z]{17}/)
    .first()
    .innerText();
  const number = (
    await page
      .getByText(/^NM-[\dA-Z-]+$/)
      .first()
      .innerText()
  ).toLowerCase();
  for (const text of [number, code]) {
    await page.goto(search + encodeURIComponent(text));
    await expect(page).toHaveURL(/\/documents\/1$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
  }
  await page.goto(`${search}al-1`);
  await expect(page).toHaveURL(/\/alerts\/\d+$/);
  await page.goto(`${search}${encodeURIComponent(number)}&all=1`);
  await expect(page.getByRole("region", { name: "Documents" }).getByRole("link").first()).toContainText(heading);
});

test("a search without results says so, and a mistyped code says what is wrong", async ({ page }) => {
  await page.goto(`${search}submarine%20xyz`);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("Not found");
  await expect(page.getByText("Nothing that you may see contains “submarine xyz”.")).toBeVisible();
  await page.goto(`${search}4C7H-29KD-3P17-2XQ0-9`);
  await expect(page.getByRole("heading", { level: 2 })).toHaveText("This code is mistyped");
  await page.goto(search + "x".repeat(201));
  await expect(page.getByText("Shorten the text to 200 characters")).toBeVisible();
  await expect(page.getByLabel("Search for")).toHaveValue("x".repeat(201));
});

test("the key / is turned off and on in the profile", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/profile");
  const keys = page.getByRole("form", { name: "The key /" });
  await expect(keys.getByRole("button", { name: "On" })).toHaveAttribute("aria-pressed", "true");
  await keys.getByRole("button", { name: "Off" }).click();
  await expect(keys.getByRole("button", { name: "Off" })).toHaveAttribute("aria-pressed", "true");
  const field = page.getByRole("searchbox", { name: "Find" });
  await expect(field).toHaveAttribute("aria-keyshortcuts", "Control+K");
  await keys.getByRole("button", { name: "On" }).click();
  await expect(field).toHaveAttribute("aria-keyshortcuts", "/ Control+K");
});
