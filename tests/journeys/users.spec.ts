import { addGroup, addMember } from "../support/access-groups.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { notice, unfold } from "../support/page-parts.ts";
import { picture, program } from "../support/page-files.ts";
import { addUser, mailTo, userPassword } from "../support/users.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("the list of users has the specification's columns and filters, and links to each user", async ({ page }) => {
  await page.goto("/users");
  await expect(page).toHaveURL("/users/list");
  for (const name of ["Name/Email", "Role", "Country", "City", "Index", "Branch", "Actions"]) {
    await expect(page.getByRole("columnheader", { name })).toBeVisible();
  }
  await unfold(page.getByRole("search"));
  for (const label of ["Name", "Email", "Index", "Role", "Country", "City", "Branch"]) {
    await expect(page.getByRole("search").getByLabel(label, { exact: true })).toBeVisible();
  }
  await page.getByRole("search").getByLabel("Role").fill("ACCOUNT");
  await page.getByRole("search").getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("link", { name: "Daniel Webb", exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Helen Marsh", exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "Info Daniel Webb" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Daniel Webb");
  await expect(page.getByText("daniel@hallam.example").first()).toBeVisible();
});

test("a user is added, invited by mail, sets a password and signs in", async ({ page, server, context }) => {
  const name = uniqueName("Nora New");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await page.goto("/users/list");
  await page.getByRole("main").getByRole("link", { name: "Add new user" }).click();
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Enter the name",
    "Enter the email address",
    "Choose the access group",
  ]);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill("helen@hallam.example");
  await page.getByLabel("Branch", { exact: true }).selectOption("Preston");
  await page.getByLabel("Role").fill("Clerk");
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByLabel("Additional information").fill("Fridays only");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "This email address is already used: enter another",
  ]);
  await expect(page.getByLabel("Additional information")).toHaveValue("Fridays only");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page).toHaveURL("/users/list");
  await expect(notice(page, `${name} was added`)).toBeVisible();

  const link = /https?:\/\/\S+\/signup\?token=\S+/.exec(await mailTo(server.data, email))![0];
  await context.clearCookies();
  await page.goto(link);
  await expect(page.getByText(`For ${name}, ${email}`)).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill("a password of some length");
  await page.getByLabel("Confirm password").fill("a password of some length");
  await page.getByRole("button", { name: "Create password" }).click();
  await page.getByRole("link", { name: "Login now" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("a password of some length");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("banner")).toContainText(name);
});

test("a user’s page leads to the documents of that user, if the reader may see documents", async ({ page }) => {
  await page.goto("/users/list?name=Aoife");
  await page.getByRole("link", { name: "Info Aoife Byrne" }).click();
  await page.getByRole("link", { name: "Documents of this user" }).click();
  await expect(page.getByLabel("Email")).toHaveValue("aoife@hallam.example");
  await expect(page.getByRole("rowheader").first()).toBeVisible();
  const user = page.getByRole("cell", { name: "Aoife Byrne" });
  expect(await user.count()).toBe(await page.getByRole("rowheader").count());

  const group = uniqueName("No papers");
  await addGroup(page, group, async () => {
    await page.getByLabel("Docs: Read").uncheck();
    await page.getByLabel("Scope for Docs").selectOption("No access");
    await page.getByLabel("Scope for Users").selectOption("Company");
    await page.getByLabel("Users: Read").check();
  });
  const { email, password } = await addMember(page, group);
  await page.context().clearCookies();
  const form = { email, password };
  expect((await page.request.post("/login", { form, maxRedirects: 0 })).status()).toBe(302);
  await page.goto("/users/list?name=Aoife");
  await page.getByRole("link", { name: "Info Aoife Byrne" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Aoife Byrne");
  await expect(page.getByRole("link", { name: "Documents of this user" })).toHaveCount(0);
});

test("a user is changed, and removed after confirming", async ({ page }) => {
  const name = uniqueName("Otto Other");
  await addUser(page, name, { password: userPassword, group: "Branch Inspector" });
  await page.getByRole("main").getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Access group")).toHaveValue("Branch Inspector");
  await expect(page.getByLabel("Active")).toHaveCount(0);
  await page.getByLabel("City").fill("Lancaster");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(notice(page, `${name}: changes saved`)).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByText("Lancaster")).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove user" }).click();
  await page.getByRole("dialog").getByText("Cancel").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Remove user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove user" }).click();
  await expect(notice(page, `${name} was removed`)).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("saving the form of a removed user leaves them removed; reactivating is an act of its own", async ({
  page,
  server,
}) => {
  const name = uniqueName("Rita Returner");
  const nameQuery = `name=${encodeURIComponent(name)}`;
  const email = await addUser(page, name, { password: userPassword });
  await page.getByRole("main").getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Remove user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove user" }).click();
  await expect(notice(page, `${name} was removed`)).toBeVisible();
  await page.getByRole("link", { name: "Removed users" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Removed users");
  const search = page.getByRole("search");
  await search.getByLabel("Name").fill(name);
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/active=0/);
  await search.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Removed users");

  const mayEnter = async () => {
    const form = { email, password: userPassword };
    const other = await page.context().browser()!.newContext({ baseURL: server.url });
    const answer = await other.request.post("/login", { form, maxRedirects: 0 });
    await other.close();
    return answer.status() === 302;
  };
  await page.goto(`/users/list?active=0&${nameQuery}`);
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(page.getByRole("button", { name: "Remove user" })).toHaveCount(0);
  await page.getByLabel("City").fill("York");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(notice(page, `${name}: changes saved`)).toBeVisible();
  await page.goto(`/users/list?${nameQuery}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  expect(await mayEnter()).toBe(false);

  await page.goto(`/users/list?active=0&${nameQuery}`);
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await page.getByRole("link", { name: "reactivate the user" }).click();
  const dialog = page.getByRole("dialog", { name: `Reactivate ${name}?` });
  await expect(dialog).toContainText("can sign in again");
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("link", { name: "Send invitation again" })).toHaveCount(0);
  await page.getByRole("link", { name: "Reactivate user" }).click();
  await dialog.getByRole("button", { name: "Reactivate user" }).click();
  await expect(notice(page, `${name} was reactivated`)).toBeVisible();
  expect(await mayEnter()).toBe(true);
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("table", { name: "History" })).toContainText("Reactivated");
});

test("a user's picture is shown beside the name until it is removed", async ({ page }) => {
  const name = uniqueName("Pia Picture");
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(`${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`);
  await page.getByLabel("Image").setInputFiles(program("pia.png"));
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText(["Choose a JPG, PNG or WebP image"]);
  await expect(page.getByLabel("Name")).toHaveValue(name);
  await page.getByLabel("Image").setInputFiles(await picture("pia.jpg"));
  await page.getByLabel("Email").fill("helen@hallam.example");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "This email address is already used: enter another",
    "Choose the image again",
  ]);
  await page.getByLabel("Image").setInputFiles(await picture("pia.jpg"));
  await page.getByLabel("Email").fill(`${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`);
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name} was added` })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  const images = page.getByRole("main").locator("img");
  await expect(images).toHaveJSProperty("naturalHeight", 512);
  await page.getByRole("main").getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Remove the image").check();
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name}: changes saved` })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(images).toHaveCount(0);
});

test("a list ignores a filter that has no such value", async ({ page }) => {
  for (const path of ["/users/list?active=5", "/users/list?active=yes&name=Helen", "/users/list.csv?active=5"]) {
    expect((await page.request.get(path)).status(), path).toBe(200);
  }
  await page.goto("/users/list?active=5&name=Helen");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Users");
  await expect(page.getByRole("main").getByRole("link", { name: "Helen Marsh", exact: true })).toBeVisible();
  for (const path of [
    "/documents/list?status=none&validity=x&sort=x",
    "/documents/archive?status=none",
    "/alerts?state=none&alert=none&owner=none",
    "/audit?action=none&trail=none&entity=none",
    "/branches/list?country=none&sort=none",
    "/map?days=x&alert=none&bbox=x",
    "/help?search=none&page=x",
  ]) {
    expect((await page.request.get(path)).status(), path).toBe(200);
  }
});

test("users who may only read users see no button that would be refused", async ({ page, context, signInAs }) => {
  await context.clearCookies();
  await signInAs("daniel@hallam.example");
  await page.goto("/users/list?name=Helen");
  await expect(page.getByRole("link", { name: "Info Helen Marsh" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Edit |^Add new user|^New user/ })).toHaveCount(0);
  expect((await page.goto("/users/new"))?.status()).toBe(403);
});
