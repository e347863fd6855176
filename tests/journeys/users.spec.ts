import { expect, test, uniqueName } from "../support/journey.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";
import { mailsIn } from "../support/mails.ts";
import { picture, program } from "../support/page-files.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";

test.beforeEach(({ signInAs }) => signInAs());

/** The message that a server wrote to an address, once it is there. */
async function mailTo(data: string, email: string) {
  const find = () => mailsIn(data).find((mail) => mail.includes(`To: ${email}`));
  await until(() => find() !== undefined, `the mail to ${email}`);
  return find()!;
}

test("the list of users has the specification's columns and filters, and links to each user", async ({ page }) => {
  await page.goto("/users");
  await expect(page).toHaveURL("/users/list");
  for (const name of ["Name/Email", "Role", "Country", "City", "Index", "Branch", "Actions"]) {
    await expect(page.getByRole("columnheader", { name })).toBeVisible();
  }
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
  await expect(page.getByRole("status").filter({ hasText: `${name} was added, and is invited` })).toBeVisible();

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

test("a user is changed, invited again, and removed after confirming", async ({ page, server }) => {
  const name = uniqueName("Otto Other");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Access group").selectOption("Branch Inspector");
  await page.getByLabel("Password", { exact: true }).fill("a password of some length");
  await page.getByLabel("Confirm password").fill("a password of some length");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name} was added` })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await expect(page.getByLabel("Access group")).toHaveValue("Branch Inspector");
  await page.getByLabel("City").fill("Lancaster");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name}: changes saved` })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByText("Lancaster")).toBeVisible();
  await page.getByRole("button", { name: "Send invitation again" }).click();
  await expect(page.getByRole("status").filter({ hasText: "A new invitation is on its way" })).toBeVisible();
  expect(await mailTo(server.data, email)).toContain(name);

  await page.getByRole("main").getByRole("link", { name: "Edit" }).click();
  await page.getByRole("link", { name: "Remove user" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Remove user" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove user" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The user was removed" })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("a removed user is found in the list of removed users, and restored", async ({ page }) => {
  const name = uniqueName("Rita Returner");
  const found = `name=${encodeURIComponent(name)}`;
  await page.goto("/users/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(`${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`);
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name} was added` })).toBeVisible();
  await page.goto(`/users/list?${found}`);
  await page.getByRole("link", { name: `Edit ${name}` }).click();
  await page.getByLabel("Active").selectOption("No");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name}: changes saved` })).toBeVisible();
  await page.goto(`/users/list?${found}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await page.getByRole("link", { name: "Removed users" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Removed users");
  const search = page.getByRole("search");
  await search.getByLabel("Name").fill(name);
  await search.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/active=0/);
  await search.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Removed users");
  await page.goto(`/users/list?active=0&${found}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByRole("button", { name: "Send invitation again" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("link", { name: "Remove user" })).toHaveCount(0);
  await expect(page.getByLabel("Active").locator("option:checked")).toHaveText("No");
  await page.getByLabel("Active").selectOption("Yes");
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name}: changes saved` })).toBeVisible();
  await page.goto(`/users/list?${found}`);
  await expect(page.getByRole("link", { name: `Info ${name}` })).toBeVisible();
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
  const shown = page.getByRole("main").locator("img");
  await expect(shown).toHaveJSProperty("naturalHeight", 512);
  await page.getByRole("main").getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Remove the image").check();
  await page.getByRole("button", { name: "Update user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name}: changes saved` })).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(shown).toHaveCount(0);
});

test("users who may only read users see no button that would be refused", async ({ page, context, signInAs }) => {
  await context.clearCookies();
  await signInAs("daniel@hallam.example");
  await page.goto("/users/list?name=Helen");
  await expect(page.getByRole("link", { name: "Info Helen Marsh" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Edit |^Add new user|^New user/ })).toHaveCount(0);
  expect((await page.goto("/users/new"))?.status()).toBe(403);
});

test.describe("when the mail server rejects the address", () => {
  let mail: MailServer;
  let desk: TestServer;
  test.beforeAll(async () => {
    mail = await startMailServer();
    desk = await startServer({ from: sampleData, env: { SMTP_URL: mail.url } });
  });
  test.afterAll(async () => {
    await desk.stop();
    await mail.stop();
  });

  test("the user is added, and their page says that the invitation was not delivered", async ({ page, context }) => {
    mail.answer = 550;
    // Ports share cookies.
    await context.clearCookies();
    const form = { email: signIn.email, password: signIn.password };
    expect((await page.request.post(`${desk.url}/login`, { form, maxRedirects: 0 })).status()).toBe(302);
    await page.goto(`${desk.url}/users/new`);
    await page.getByLabel("Name").fill("Una Uninvited");
    await page.getByLabel("Email").fill("una@hallam.example");
    await page.getByLabel("Access group").selectOption("Accountant");
    await page.getByRole("button", { name: "Add user" }).click();
    await expect(
      page.getByRole("status").filter({ hasText: "is invited by mail to una@hallam.example" }),
    ).toBeVisible();
    await until(() => desk.output().includes("message dropped"), "the mail server to refuse");
    await page.goto(`${desk.url}/users/list?name=una`);
    await page.getByRole("link", { name: "Info Una Uninvited" }).click();
    const problem = page.getByRole("alert").filter({ hasText: "could not be delivered to una@hallam.example" });
    await expect(problem).toContainText("“Send invitation again”");
    mail.answer = "take";
    await page.getByRole("button", { name: "Send invitation again" }).click();
    await expect(page.getByRole("status").filter({ hasText: "A new invitation is on its way" })).toBeVisible();
    await expect(problem).toHaveCount(0);
    await until(() => mail.taken.length === 1, "the invitation");
  });
});
