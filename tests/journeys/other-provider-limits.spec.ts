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
  for (const path of ["/users/import", "/users/import/1", "/users/import/1/refused.csv", "/branches/import"]) {
    await page.goto(path);
    await expect(page.getByText("Your provider does not offer imports.")).toBeVisible();
  }
  for (const path of ["/users/roles", "/users/group", "/users/group?id=1"]) {
    await page.goto(path);
    await expect(page.getByText("Your provider does not offer access groups.")).toBeVisible();
  }
  await page.goto("/documents/101?dialog=readers");
  await expect(page.getByRole("link", { name: "Who can see this?" })).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await page.request.get("/api/users")).status()).toBe(404);
});

test("nothing is compared if the provider has no sealed PDFs", async ({ page }) => {
  await page.goto("/documents/101");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Charter 1");
  await expect(page.getByText("Does a file match?")).toHaveCount(0);
  for (const path of ["/documents/101/file-check", "/v/4C7H29KD3P172XQ08/file"])
    expect((await page.goto(path))?.status(), path).toBe(501);
});

test("navigation and header lead to nothing that the provider does not have", async ({ page, other }) => {
  for (const path of [
    "/branches/profile",
    "/branches/list",
    "/users/roles",
    "/profile",
    "/search?q=charter",
    "/webhooks",
    "/webhooks/new",
    "/webhooks/1",
  ]) {
    await page.goto(path);
    await expect(page.getByText(/^Your provider does not offer/), path).toBeVisible();
  }
  await page.goto("/dashboard");
  await expect(page.getByRole("search")).toHaveCount(0);
  const navigation = page.getByRole("navigation", { name: "Main" });
  await expect(navigation.getByRole("list").getByRole("link")).toHaveText([
    "Users list",
    "New user",
    "Documents list",
    "Archive",
    "Add new doc",
  ]);
  for (const name of ["Branches", "Alerts", "Map"]) {
    await expect(navigation.getByText(name, { exact: true })).toHaveCount(0);
  }
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(["Documents"]);
  await page.getByRole("banner").getByRole("link", { name: "Olive Trent" }).click();
  await expect(page).toHaveURL("/users/view/7");
  await expect(page.getByRole("button", { name: /invitation/ })).toHaveCount(0);
  // As soon as one answers, there is a way to it.
  other.answers.set("GET /api/branches", { body: [{ id: 1, name: "Wharf" }] });
  await page.goto("/branches/list");
  await expect(page.getByText("Wharf").first()).toBeVisible();
  await page.goto("/dashboard");
  await expect(navigation.getByRole("link", { name: "List of branches" })).toBeVisible();
});

test("what the provider refuses or lacks is not reported as done, and no invitation is announced", async ({
  page,
  other,
}) => {
  await page.goto("/users/list");
  await page.goto("/users/new");
  await expect(page.getByText("invitation")).toHaveCount(0);
  await page.getByLabel("Name", { exact: true }).fill("Piet Punt");
  await page.getByLabel("Email").fill("piet@trent.example");
  await page.getByLabel("Access group").fill("Anglers");
  for (const status of [501, 405]) {
    other.answers.set("POST /api/users", { status, body: "<h1>No</h1>" });
    const replied = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Add user" }).click();
    await replied;
    await expect(page.getByRole("alert")).toContainText("Your provider does not offer users.");
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Piet Punt");
  }
  other.answers.clear();
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page).toHaveURL("/users/list");
  await expect(page.getByRole("status").filter({ hasText: "Piet Punt was added" })).toHaveText("Piet Punt was added");
  await expect(page.getByText("invited")).toHaveCount(0);
  await page.goto("/users/edit/7");
  await expect(page.getByRole("button", { name: "Remove user" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Back to the list of users" }).click();
  await expect(page).toHaveURL("/users/list");
});

test("profile and API keys say that the provider does not offer them, and link back", async ({ page }) => {
  for (const [path, what] of [
    ["/profile", "profiles"],
    ["/profile/api-keys", "API keys"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(`Your provider does not offer ${what}.`)).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Go to the dashboard" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  }
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
