import { addGroup, addMember, never, rowOf, says } from "../support/access-groups.ts";
import { expect, test, uniqueName } from "../support/journey.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the list of access groups has the specification's columns, and shows each group's rights", async ({ page }) => {
  await page.goto("/users/list");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Security roles" }).click();
  await expect(page).toHaveURL("/users/roles");
  await expect(page.getByRole("columnheader")).toHaveText([
    "Name",
    "Docs",
    "Co profile",
    "Branches",
    "Tariffs",
    "Alerts",
    "Map",
    "Users",
    "Roles",
    "Actions",
  ]);
  const inspector = rowOf(page, "Branch Inspector").getByRole("cell");
  await expect(inspector.nth(0)).toContainText("Branch");
  await expect(inspector.nth(0)).toContainText("read");
  await expect(inspector.nth(0)).not.toContainText("write");
  await expect(rowOf(page, "Accountant").getByRole("cell").nth(0)).toContainText("read, write, create");
  await expect(page.getByRole("link", { name: "Security roles" })).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("link", { name: "Users list" })).not.toHaveAttribute("aria-current", "page");
});

test("an access group is added, corrected after a refusal, and changed", async ({ page, hasScripts }) => {
  const name = uniqueName("Porters");
  await page.goto("/users/roles");
  await page.getByRole("main").getByRole("link", { name: "Add group" }).click();
  const nothingElse = "A member of this access group can sign in, and nothing else.";
  await says(page, nothingElse);
  await page.getByLabel("Docs: Read").check();
  await never(page, nothingElse);
  await page.getByLabel("Scope for Users").selectOption("Branch");
  // Scripts complete what is chosen.
  if (hasScripts) {
    await expect(page.getByLabel("Scope for Docs")).toHaveValue("personal");
    await expect(page.getByLabel("Users: Read")).toBeChecked();
    await says(page, "see the users of their own branch");
    await page.getByLabel("Users: Read").uncheck();
    await says(page, "Users: tick a right");
    await page.getByLabel("Scope for Docs").selectOption("No access");
    await expect(page.getByLabel("Docs: Read")).not.toBeChecked();
    await page.getByLabel("Scope for Docs").selectOption("Company");
  }
  await page.getByLabel("Name").press("Enter");
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Enter the name",
    ...(hasScripts ? [] : ["Choose the scope for Docs, or untick its rights"]),
    "Tick what members may do in Users, or choose No access",
  ]);
  await expect(page).toHaveTitle(/^Error: Add access group/);
  await page.getByRole("alert").getByRole("link", { name: "Tick what members may do in Users" }).click();
  await expect(page.getByLabel("Docs: Read")).toBeChecked();
  await expect(page.getByLabel("Scope for Users")).toHaveValue("branch");
  await page.getByLabel("Scope for Docs").selectOption("Personal");
  await page.getByLabel("Docs: Create").check();
  await page.getByLabel("Users: Write").check();
  await says(page, "see and add their own documents");
  await says(page, "see and change the users of their own branch");
  await page.getByLabel("Name").fill("Accountant");
  await page.getByRole("button", { name: "Add access group" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "There is already an access group with this name: enter another",
  ]);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add access group" }).click();
  await expect(page.getByRole("status").filter({ hasText: `Access group “${name}” was added` })).toBeVisible();
  const cells = rowOf(page, name).getByRole("cell");
  await expect(cells.nth(0)).toContainText("Personal");
  await expect(cells.nth(0)).toContainText("read, create");
  await expect(cells.nth(6)).toContainText("read, write");
  await expect(cells.nth(7)).toContainText("No access");

  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(page.getByLabel("Users: Read")).toBeChecked();
  for (const right of ["Read", "Write"]) await page.getByLabel(`Users: ${right}`).uncheck();
  await page.getByLabel("Scope for Users").selectOption("No access");
  await page.getByRole("button", { name: "Update access group" }).click();
  await expect(page.getByRole("status").filter({ hasText: `Access group “${name}”: changes saved` })).toBeVisible();
  await expect(rowOf(page, name).getByRole("cell").nth(6)).toContainText("No access");
});

test("a conflict shows what another user saved beside what was typed", async ({ page, context }) => {
  const name = uniqueName("Clerks");
  await addGroup(page, name);
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(page.getByLabel("Scope for Docs")).toHaveValue("company");
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Docs: Write").check();
  await other.getByRole("button", { name: "Update access group" }).click();
  await expect(other.getByRole("status").filter({ hasText: "changes saved" })).toBeVisible();
  await page.getByLabel("Scope for Docs").selectOption("Branch");
  await page.getByLabel("Name").fill("");
  await page.getByRole("button", { name: "Update access group" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText(["Enter the name"]);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Update access group" }).click();
  await expect(page.getByRole("alert")).toContainText("Helen Marsh changed this at");
  const meanwhile = page.getByRole("region", { name: "Changed by another user" });
  await expect(meanwhile).toContainText("Company: read, write");
  await expect(page.getByLabel("Scope for Docs")).toHaveValue("branch");
  await page.getByRole("button", { name: "Update access group" }).click();
  await expect(rowOf(page, name).getByRole("cell").nth(0)).toContainText("Branch");
});

test("an access group is removed after confirming, once nothing uses it", async ({ page }) => {
  const name = uniqueName("Anglers");
  await addGroup(page, name);
  const member = await addMember(page, name);
  await page.goto("/users/roles");
  const remove = async () => {
    await page.getByRole("link", { name: `Edit ${name}` }).click();
    await page.getByRole("button", { name: "Remove access group" }).click();
    await page.getByRole("dialog").getByText("Cancel").click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.getByRole("button", { name: "Remove access group" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove access group" }).click();
  };
  await remove();
  await expect(page.getByRole("alert")).toContainText(
    "1 user is in this access group: move them to another access group first",
  );
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await page.goto(`/users/list?name=${encodeURIComponent(member.name)}`);
  await page.getByRole("link", { name: `Edit ${member.name}` }).click();
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${member.name}: changes saved` })).toBeVisible();
  await page.goto("/users/roles");
  await remove();
  await expect(page.getByRole("status").filter({ hasText: `Access group “${name}” was removed` })).toBeVisible();
  await expect(rowOf(page, name)).toHaveCount(0);
});

test("the last administrators can't lose their right", async ({ page }) => {
  await page.goto("/users/roles");
  await page.getByRole("link", { name: "Edit Administrator" }).click();
  await page.getByLabel("Roles: Write").uncheck();
  await page.getByRole("button", { name: "Update access group" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "At least one administrator must remain: leave Write ticked, or make a member of another access group one",
  ]);
  await expect(page.getByLabel("Roles: Write")).not.toBeChecked();
});

test("buttons follow a change of the access group while its member works", async ({
  page,
  browser,
  server,
  hasScripts,
}) => {
  const name = uniqueName("Followers");
  await addGroup(page, name, async () => {
    await page.getByLabel("Scope for Users").selectOption("Company");
    await page.getByLabel("Users: Read").check();
  });
  const form = await addMember(page, name);
  const working = await browser.newContext({
    baseURL: server.url,
    javaScriptEnabled: hasScripts,
  });
  expect((await working.request.post("/login", { form, maxRedirects: 0 })).status()).toBe(302);
  const member = await working.newPage();
  const nav = member.getByRole("navigation", { name: "Main" });
  await member.goto("/users/list?name=Daniel");
  await expect(member.getByRole("link", { name: "Info Daniel Webb" })).toBeVisible();
  await expect(member.getByRole("link", { name: /^(Edit|Add new user|New user|Security roles)/ })).toHaveCount(0);

  const change = async (choose: () => Promise<void>) => {
    await page.goto("/users/roles");
    await page.getByRole("link", { name: `Edit ${name}` }).click();
    await expect(page.getByLabel("Name")).toHaveValue(name);
    await choose();
    await page.getByRole("button", { name: "Update access group" }).click();
    await expect(page.getByRole("status").filter({ hasText: "changes saved" })).toBeVisible();
  };
  await change(async () => {
    for (const right of ["Write", "Create"]) await page.getByLabel(`Users: ${right}`).check();
    await page.getByLabel("Scope for Roles").selectOption("Company");
    await page.getByLabel("Roles: Read").check();
  });
  await member.goto("/users/list?name=Daniel");
  await expect(member.getByRole("link", { name: "Edit Daniel Webb" })).toBeVisible();
  await expect(nav.getByRole("link", { name: "New user" })).toBeVisible();
  await nav.getByRole("link", { name: "Security roles" }).click();
  await expect(member.getByRole("heading", { level: 1 })).toHaveText("Security roles");
  await expect(member.getByRole("link", { name: /^Edit |^Add group/ })).toHaveCount(0);
  expect((await member.goto("/users/group"))?.status()).toBe(403);

  await change(async () => {
    for (const area of ["Users", "Roles"]) {
      for (const right of ["Read", "Write", "Create"]) await page.getByLabel(`${area}: ${right}`).uncheck();
      await page.getByLabel(`Scope for ${area}`).selectOption("No access");
    }
  });
  expect((await member.goto("/users/list"))?.status()).toBe(403);
  await expect(nav.getByRole("link", { name: "Documents list" })).toBeVisible();
  await expect(nav.getByText("Users")).toHaveCount(0);
  await working.close();
});

test("an access group's history is beside its form", async ({ page }) => {
  const name = uniqueName("Night shift");
  await page.goto("/users/group");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add access group" }).click();
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await page.getByLabel("Scope for Docs").selectOption("Company");
  await page.getByLabel("Docs: Read").check();
  await page.getByRole("button", { name: "Update access group" }).click();
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await page.getByRole("link", { name: "History" }).click();
  const entries = page.getByRole("table", { name: "History" }).getByRole("row");
  await expect(entries).toHaveCount(3);
  await expect(entries.nth(1)).toContainText("Docs");
  await page.getByRole("link", { name: "Access group", exact: true }).click();
  await expect(page.getByLabel("Name")).toHaveValue(name);
});
