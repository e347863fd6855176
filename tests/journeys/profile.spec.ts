import type { BrowserContext, Page } from "@playwright/test";
import { pageUserAt, signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { signIn } from "../support/sample.ts";

const emailOf = (name: string) => `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;

/** A colleague of the sample's users with the same password, signed in: others count on those to stay as they are. */
async function colleague({ server, signInAs }: { server: { url: string }; signInAs(email: string): Promise<void> }) {
  const name = uniqueName("Cora Colleague");
  const email = emailOf(name);
  const client = await signInClient(server.url);
  const { password } = signIn;
  const form = { name, email, staff: "Accountant", password, password_confirmation: password, intent: "save" };
  expect((await client.post("/users/new", form)).status).toBe(302);
  await signInAs(email);
  return { name, email, client };
}

const notice = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

test("the name in the header links to the profile; changes show at once", async ({ page, server, signInAs }) => {
  const { name, email } = await colleague({ server, signInAs });
  await page.goto("/dashboard");
  await page.getByRole("banner").getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My profile");
  for (const fact of ["Name", "Email", "Phone", "Country", "City", "Index", "Address"]) {
    await expect(page.getByRole("term").filter({ hasText: new RegExp(`^${fact}$`) })).toBeVisible();
  }
  await page.getByRole("link", { name: "Edit profile" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit my data");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByLabel("City").fill("Nowhere");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My profile");
  await expect(page.getByText("Nowhere")).toHaveCount(0);

  await page.getByRole("link", { name: "Edit profile" }).click();
  const renamed = uniqueName("Cora Changed");
  await page.getByLabel("Name").fill(renamed);
  await page.getByLabel("Phone").fill("0161 496 0000");
  await page.getByLabel("Country").fill("Ireland");
  await page.getByLabel("City").fill("Dublin");
  await page.getByLabel("Index").fill("D01 W3P9");
  await page.getByRole("textbox", { name: "Address" }).fill("6 North Wall Quay");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Your data was saved")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My profile");
  await expect(page.getByRole("banner")).toContainText(renamed);
  await expect(page.getByText("6 North Wall Quay")).toBeVisible();
});

test("invalid values are refused at their fields, and stay as typed", async ({ page, server, signInAs }) => {
  await colleague({ server, signInAs });
  await page.goto("/profile?edit");
  await page.getByLabel("Name").fill("");
  await page.getByLabel("City").fill("Leeds");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText(["Enter the name"]);
  await expect(page).toHaveTitle(/^Error: Edit my data/);
  await page.getByLabel("Name").fill("Cora");
  await page.getByLabel("Email").fill("helen@hallam.example");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "This email address is already used: enter another",
  ]);
  await expect(page.getByLabel("City")).toHaveValue("Leeds");
});

test("a change by another user is shown before it is overwritten", async ({ page, server, signInAs }) => {
  const { name, email, client } = await colleague({ server, signInAs });
  await page.goto("/profile?edit");
  await page.getByLabel("City").fill("Leeds");
  const list = await (await client.get(`/users/list?name=${encodeURIComponent(name)}`)).text();
  const path = /\/users\/edit\/\d+/.exec(list)![0];
  const form = { name, email, staff: "Accountant", city: "York", version: "1", intent: "save" };
  expect((await client.post(path, form)).status).toBe(302);
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("alert")).toContainText(/Helen Marsh changed this at \d\d:\d\d/);
  await expect(page.getByRole("region", { name: "Changed by another user" })).toContainText("York");
  await expect(page.getByLabel("City")).toHaveValue("Leeds");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Your data was saved")).toBeVisible();
  await expect(page.getByText("Leeds")).toBeVisible();
});

const dialog = (page: Page) => page.getByRole("dialog", { name: "Change password" });

async function fillPasswords(page: Page, old: string, newPassword: string, again = newPassword) {
  await dialog(page).getByLabel("Old password").fill(old);
  await dialog(page).getByLabel("New password").fill(newPassword);
  await dialog(page).getByLabel("Confirm password").fill(again);
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
}

const mayOpen = async (context: BrowserContext) =>
  (await context.request.get("/dashboard", { maxRedirects: 0 })).status() === 200;

test("changing the password needs the old one, and ends all other sessions", async ({
  page,
  context,
  server,
  signInAs,
  browser,
  baseURL,
}) => {
  const { email } = await colleague({ server, signInAs });
  const elsewhere = await browser.newContext({ baseURL: baseURL! });
  const headers = { origin: baseURL! };
  const form = { email, password: signIn.password };
  await elsewhere.request.post("/login", { form, headers, maxRedirects: 0 });
  expect(await mayOpen(elsewhere)).toBe(true);
  await page.goto("/profile");
  await page.getByRole("link", { name: "Change password" }).click();
  await dialog(page).getByRole("link", { name: "Cancel" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Change password" }).click();

  await fillPasswords(page, "not the old one", "short", "shorter");
  await expect(dialog(page).getByRole("alert").getByRole("link")).toHaveText([
    "Use at least 12 characters",
    "The two passwords are not the same: type both again",
  ]);
  await fillPasswords(page, "not the old one", "a new and longer one");
  await expect(dialog(page).getByRole("alert").getByRole("link")).toHaveText([
    "The old password is not right: type it again",
  ]);
  for (const label of ["Old password", "New password", "Confirm password"]) {
    await expect(dialog(page).getByLabel(label)).not.toHaveAttribute("value", /./);
  }
  expect(await page.content()).not.toMatch(/not the old one|a new and longer one/);
  expect(await mayOpen(elsewhere)).toBe(true);

  await fillPasswords(page, signIn.password, "a new and longer one");
  await expect(notice(page, "Your password was changed, and your other sessions have ended")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  expect(await mayOpen(elsewhere)).toBe(false);
  expect(await mayOpen(context)).toBe(true);
  const again = (password: string) =>
    elsewhere.request.post("/login", { form: { email, password }, headers, maxRedirects: 0 });
  expect((await again(signIn.password)).status()).toBe(422);
  expect((await again("a new and longer one")).status()).toBe(302);
  await elsewhere.close();
});

test("guessing the old password is limited, with a message", async ({ page, server, signInAs, baseURL }) => {
  await colleague({ server, signInAs });
  const newPassword = "a new and longer one";
  const page_user = await pageUserAt(page);
  const form = {
    page_user,
    old_password: "guess",
    password: newPassword,
    password_confirmation: newPassword,
    intent: "password",
  };
  for (let n = 0; n < 10; n++) {
    const answer = await page.request.post("/profile?dialog=password", { form, headers: { origin: baseURL! } });
    expect(answer.status()).toBe(422);
  }
  await page.goto("/profile?dialog=password");
  await fillPasswords(page, signIn.password, newPassword);
  await expect(dialog(page).getByRole("alert")).toContainText(/Too many attempts. Try again in \d+ minutes/);
});

test("the user's picture shows in the header until it is removed", async ({ page, server, signInAs }) => {
  await colleague({ server, signInAs });
  await page.goto("/profile?edit");
  await page.getByLabel("Image").setInputFiles(await picture("me.png"));
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Your data was saved")).toBeVisible();
  await expect(page.getByRole("banner").locator("img")).toHaveJSProperty("naturalHeight", 512);
  await page.goto("/profile?edit");
  await page.getByLabel("Remove the image").check();
  await page.getByRole("button", { name: "Update" }).click();
  await expect(notice(page, "Your data was saved")).toBeVisible();
  await expect(page.getByRole("banner").locator("img")).toHaveCount(0);
});
