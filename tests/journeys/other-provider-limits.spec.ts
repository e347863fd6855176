import { expect, test } from "../support/other-journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("a provider without histories has no History tab and no audit trail", async ({ page, other }) => {
  await page.goto("/documents/101?tab=history");
  await expect(page.getByRole("navigation", { name: "Properties" }).getByRole("link")).toHaveText([
    "System properties",
    "Custom properties",
  ]);
  await expect(page.getByText("Document access type")).toBeVisible();
  // Nor does one whose histories fail take the document's page with it.
  other.answers.set("GET /api/documents/101/history", { status: 500, body: "Whoops" });
  await page.goto("/documents/101");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Charter 1");
  await page.goto("/users/view/7");
  await expect(page.getByRole("link", { name: "History" })).toHaveCount(0);
  await page.goto("/audit");
  await expect(page.getByText("Your provider does not offer an audit trail.")).toBeVisible();
  expect((await page.goto("/audit.csv"))?.status()).toBe(501);
  await expect(page.getByText("Your provider does not offer an audit trail.")).toBeVisible();
});

test("pages say what the provider does not offer, and the embedded provider is absent", async ({ page }) => {
  await page.goto("/documents/edit/101");
  await expect(page.getByText("Your provider does not offer changing documents.")).toBeVisible();
  for (const path of ["/users/roles", "/users/group", "/users/group?id=1"]) {
    await page.goto(path);
    await expect(page.getByText("Your provider does not offer access groups.")).toBeVisible();
  }
  await page.goto("/documents/101?dialog=readers");
  await expect(page.getByRole("link", { name: "Who can see this?" })).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await page.request.get("/api/users")).status()).toBe(404);
});

test("profile, tariffs and help say that the provider does not offer them, and link back", async ({ page }) => {
  await page.goto("/dashboard");
  await expect(page.getByRole("banner").getByRole("link", { name: "SilverState 1" })).toHaveCount(0);
  await page.getByRole("banner").getByRole("link", { name: "Olive Trent" }).click();
  await expect(page.getByText("Your provider does not offer profiles.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Go to the dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
  await expect(page.getByText("Your provider does not offer help.")).toBeVisible();
  await page.goto("/tariffs");
  await expect(page.getByText("Your provider does not offer tariffs.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Go to the dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
});

test("branches and the company profile say that the provider does not offer them", async ({ page }) => {
  for (const path of ["list", "new", "view/1", "edit/1", "profile?tab=branches"]) {
    expect((await page.goto(`/branches/${path}`))?.status(), path).toBe(501);
    await expect(page.getByText("Your provider does not offer branches.")).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Go to the dashboard" })).toBeVisible();
  }
  await page.goto("/branches");
  await expect(page.getByText("Your provider does not offer company profiles.")).toBeVisible();
});
