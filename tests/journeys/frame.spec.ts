import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { asUpload, picture } from "../support/page-files.ts";

test("the header shows company, plan, documents and user; the dashboard has three panels of real rows", async ({
  page,
  signInAs,
}) => {
  await signInAs();
  await page.goto("/dashboard");
  const header = page.getByRole("banner");
  await expect(header).toContainText("Hallam & Reid Ltd");
  await expect(header).toContainText("SilverState 1");
  await expect(header).toContainText(/\d+ \/ 5000/);
  await expect(header.getByRole("progressbar", { name: "Documents" })).toHaveAttribute("max", "5000");
  await expect(header).toContainText("Helen Marsh");
  const panel = (name: string) => page.getByRole("region", { name, exact: true });
  await expect(panel("Branches").getByRole("columnheader")).toHaveText(["Name", "Country"]);
  await expect(panel("Branches").getByRole("rowheader")).toHaveCount(5);
  await expect(panel("Documents").getByRole("columnheader")).toHaveText(["Number", "Date"]);
  await expect(panel("Documents").getByRole("rowheader")).toHaveCount(8);
  await expect(panel("Users").getByRole("row", { name: /Aoife Byrne/ })).toContainText("Manager");
  await panel("Users").getByRole("link", { name: "Aoife Byrne" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Aoife Byrne");
  await page.goto("/dashboard");
  await panel("Documents").getByRole("link", { name: "View all documents" }).click();
  await expect(page).toHaveURL(/\/documents\/list$/);
});

test("the header counts the documents that the user may see", async ({ page, signInAs }) => {
  await signInAs("tom@hallam.example");
  let visible = 0;
  for (const list of ["list", "archive"]) {
    await page.goto(`/documents/${list}`);
    const [, total] = /^\d+ - \d+ of (\d+)$/m.exec(await page.getByRole("main").innerText()) ?? [];
    visible += Number(total ?? 0);
  }
  expect(visible).toBeGreaterThan(0);
  await expect(page.getByRole("banner")).toContainText(`Documents${visible} / 5000`);
});

test("the navigation marks the current page", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/dashboard");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Archive" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Archive");
  await expect(navigation.locator("[aria-current=page]")).toHaveText("Archive");
  await navigation.getByRole("link", { name: "Add new doc" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add new document");
  await expect(navigation.locator("[aria-current=page]")).toHaveText("Add new doc");
});

test("an archived document and an address with a slash are marked in the navigation as well", async ({
  page,
  server,
  signInAs,
}) => {
  await signInAs();
  const client = await signInClient(server.url);
  const draft = await startDraft(client, uniqueName("To file away"));
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const document = await create(client, draft);
  await client.post(document, { intent: "archive" });
  const current = page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]");
  for (const [path, label] of [
    [document, "Archive"],
    ["/documents/archive/", "Archive"],
    ["/documents/1", "Documents list"],
    ["/users/group?id=1", "Security roles"],
    ["/branches/edit/2", "List of branches"],
    ["/alerts/1", "Alerts"],
  ]) {
    await page.goto(path!);
    await expect(current).toHaveText(label!);
  }
});

test("on a telephone a button opens the navigation, and another closes it", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs();
  await page.goto("/help");
  const archive = page.getByRole("link", { name: "Archive" });
  await expect(archive).toBeHidden();
  await page.getByText("Menu", { exact: true }).click();
  await expect(archive).toBeVisible();
  await page.getByText("Close", { exact: true }).click();
  await expect(archive).toBeHidden();
});

test("what an access group forbids is not offered, and is refused", async ({ page, signInAs }) => {
  await signInAs("tom@hallam.example");
  await page.goto("/dashboard");
  await expect(page.getByRole("link", { name: "Add new doc" })).toHaveCount(0);
  await page.goto("/documents/list");
  await expect(page.getByRole("link", { name: /^View/ }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^Edit/ })).toHaveCount(0);
  const refused = await page.goto("/documents/new");
  expect(refused!.status()).toBe(403);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You don’t have access to this page");
  await expect(page.getByText("Your access group does not let you issue documents.")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("signing out asks first, in a dialog and on its own page", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/documents/list?name=lease");
  await page.getByRole("link", { name: "Logout" }).click();
  const dialog = page.getByRole("dialog", { name: "Log out" });
  await expect(dialog).toContainText("Are you sure you want to exit the application?");
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/documents\/list\?name=lease$/);
  await page.goto("/logout");
  await expect(page.getByText("Are you sure you want to exit the application?")).toBeVisible();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.getByRole("link", { name: "Logout" }).click();
  await dialog.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
});

test("a session that has ended leads to the sign-in page and back", async ({ page, signInAs, context, baseURL }) => {
  await signInAs();
  const cookies = await context.cookies();
  await page.goto("/logout");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await context.addCookies(cookies); // the token of before, which is dead now
  await page.goto("/documents/1");
  await expect(page).toHaveURL(`${baseURL}/login?next=%2Fdocuments%2F1`);
});

test("the chosen theme stays, before and after signing in", async ({ page, signInAs }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "sealdesk-dark");
  await expect(page).toHaveURL(/\/login$/);
  await signInAs();
  await page.goto("/dashboard");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "sealdesk-dark");
  await page.getByRole("button", { name: "Light" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "sealdesk");
  await page.getByRole("button", { name: "Auto" }).click();
  await expect(page.locator("html")).not.toHaveAttribute("data-theme");
  await expect(page.getByRole("button", { name: "Auto" })).toHaveAttribute("aria-pressed", "true");
});

test("an unknown address is not found, and leads to what its visitor can open", async ({ page, signInAs }) => {
  const ways = page.getByRole("main").getByRole("paragraph").getByRole("link");
  expect((await page.goto("/no/such/page"))!.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("404 Page Not Found");
  await expect(ways).toHaveText(["Sign in", "Check a document"]);
  await signInAs();
  expect((await page.goto("/no/such/page"))!.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("404 Page Not Found");
  await expect(ways).toHaveText(["Go to the dashboard", "Documents"]);
  expect((await page.goto("/documents/999999"))!.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("404 Page Not Found");
  await expect(page.getByRole("main")).toContainText("It was removed, or your access group does not show it.");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("the home page leads to the dashboard, documents to their list", async ({ page, signInAs, baseURL }) => {
  await signInAs();
  for (const [from, to] of [
    ["/", "/dashboard"],
    ["/documents", "/documents/list"],
  ]) {
    await page.goto(from!);
    await expect(page).toHaveURL(baseURL + to!);
  }
});
