import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { notice } from "../support/page-parts.ts";
import { signIn } from "../support/sample.ts";
import { userPassword } from "../support/users.ts";
import { chooseType } from "../support/wizard.ts";

/** A page that one user opened, and another user's session sends: as at a counter, where a colleague signed in meanwhile. */

const aoife = "aoife@hallam.example";
const nothingSaved = (page: Page) => page.getByRole("heading", { name: "Nothing was saved", level: 1 });

/** Signs in as another user in another tab of the same browser. */
async function signInElsewhere(page: Page, email: string) {
  await page.request.post("/logout", { maxRedirects: 0 });
  const form = { email, password: signIn.password };
  expect((await page.request.post("/login", { form, maxRedirects: 0 })).status()).toBe(302);
}

test.beforeEach(({ signInAs }) => signInAs());

test("a form that a colleague opened is not saved as one's own, until one says so", async ({ page }) => {
  const phone = `01772 ${process.pid}`;
  await page.goto("/branches/edit/3");
  await page.getByLabel("Phone").fill(phone);
  await signInElsewhere(page, aoife);
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(nothingSaved(page)).toBeVisible();
  const main = page.getByRole("main");
  await expect(main.getByRole("alert")).toHaveText("Helen Marsh opened this form. You are signed in as Aoife Byrne.");
  await expect(main).toContainText(phone);
  expect(await (await page.request.get("/branches/view/3")).text()).not.toContain(phone);
  await page.getByRole("button", { name: "Save as Aoife Byrne" }).click();
  await expect(notice(page, "Preston: changes saved")).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("Aoife Byrne");
  expect(await (await page.request.get("/branches/view/3")).text()).toContain(phone);
  await page.goto("/branches/view/3?tab=history");
  await expect(page.getByRole("row", { name: phone })).toContainText("Aoife Byrne");
});

test("the user who opened the form signs in again, and has what was typed", async ({ page }) => {
  const city = uniqueName("Hull");
  await page.goto("/branches/new");
  await page.getByLabel("City").fill(city);
  await signInElsewhere(page, aoife);
  await page.getByRole("button", { name: "Add branch" }).click();
  await page.getByRole("button", { name: "Sign in as Helen Marsh" }).click();
  await expect(page.getByRole("main")).toContainText("what you typed will be in the form again");
  await page.getByLabel("Email").fill(signIn.email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Not saved yet" })).toBeVisible();
  await expect(page.getByLabel("City")).toHaveValue(city);
  await expect(page.getByRole("banner")).toContainText("Helen Marsh");
});

test("a form that is not saved leads to the page as its new user has it", async ({ page }) => {
  await page.goto("/branches/edit/2");
  await page.getByLabel("Phone").fill("01482 1");
  await signInElsewhere(page, aoife);
  await page.getByRole("button", { name: "Update branch" }).click();
  await page.getByRole("link", { name: "Do not save" }).click();
  await expect(page.getByRole("banner")).toContainText("Aoife Byrne");
  await expect(page.getByLabel("Phone")).not.toHaveValue("01482 1");
});

test("passwords are entered and pictures are chosen again", async ({ page }) => {
  const name = uniqueName("Ida Shared");
  await page.goto("/users/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Email").fill(`${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`);
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByLabel("Password", { exact: true }).fill(userPassword);
  await page.getByLabel("Confirm password").fill(userPassword);
  await page.getByLabel("Image").setInputFiles(await picture("ida.png"));
  await signInElsewhere(page, aoife);
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByText("Passwords are entered and files are chosen again")).toBeVisible();
  expect(await page.content()).not.toContain(userPassword);
  await page.getByLabel("Password", { exact: true }).fill(userPassword);
  await page.getByLabel("Password confirmation").fill(userPassword);
  await page.getByLabel("Image").setInputFiles(await picture("ida.png"));
  await page.getByRole("button", { name: "Save as Aoife Byrne" }).click();
  await expect(notice(page, `${name} was added`)).toBeVisible();
  await page.goto(`/users/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `Info ${name}` }).click();
  await expect(page.getByRole("main").locator("img")).toHaveAttribute("src", /\/files\/users\/\d+\/image/);
  await expect(page.getByText("not accepted yet")).toHaveCount(0);
});

test("what a dialog asks, and a button in a row, is not done as another user", async ({ page }) => {
  await page.goto("/documents/3?dialog=archive");
  await signInElsewhere(page, aoife);
  await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await expect(nothingSaved(page)).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Archive");
  await page.goto("/settings/withdrawal-reasons");
  await signInElsewhere(page, signIn.email);
  await page
    .getByRole("button", { name: /^Move down / })
    .first()
    .click();
  await expect(page.getByRole("alert")).toContainText(
    "Aoife Byrne opened this form. You are signed in as Helen Marsh.",
  );
});

test("a draft stays its owner's", async ({ page }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("Lease of the counter");
  await signInElsewhere(page, aoife);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(nothingSaved(page)).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Lease of the counter");
  await expect(page.getByRole("button", { name: /^Save as/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Sign in as Helen Marsh" }).click();
  await page.getByLabel("Email").fill(signIn.email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Document name")).toHaveValue("Lease of the counter");
});

test("a form that comes back after a break comes to nobody else, whoever signed in and out meanwhile", async ({
  page,
}) => {
  await page.goto("/branches/new");
  await page.getByLabel("City").fill("Goole");
  await signInElsewhere(page, aoife);
  await page.request.post("/logout", { maxRedirects: 0 });
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel("Email").fill(aoife);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("banner")).toContainText("Aoife Byrne");
  await expect(page).toHaveURL("/branches/new");
  await expect(page.getByLabel("City")).toHaveValue("");
});
