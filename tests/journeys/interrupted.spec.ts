import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { signIn } from "../support/sample.ts";

/** Sessions that end while a form is being filled in, as by signing out in another tab. */

const unsaved = (page: Page) => page.getByRole("status").filter({ hasText: "Not saved yet: check and save" });

const signOutElsewhere = (page: Page) => page.request.post("/logout", { maxRedirects: 0 });

async function signInAgain(page: Page, email = signIn.email) {
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

test.beforeEach(({ signInAs }) => signInAs());

type Form = { name: string; open: string; fields: Record<string, string>; button: string };

const forms: Form[] = [
  { name: "a new branch", open: "/branches/new", fields: { City: "Hull", Phone: "01482 1" }, button: "Add branch" },
  { name: "a branch", open: "/branches/edit/1", fields: { City: "", Address: "1 Quay" }, button: "Update branch" },
  { name: "the company's profile", open: "/branches/profile?edit", fields: { City: "Hull" }, button: "Update" },
  { name: "one's own profile", open: "/profile?edit", fields: { Phone: "01482 3" }, button: "Update" },
  { name: "a user", open: "/users/edit/3", fields: { Role: "Porter", City: "Hull" }, button: "Update user" },
  {
    name: "a document",
    open: "/documents/edit/8",
    fields: { "Document name": "Deed of gift" },
    button: "Save changes",
  },
];

for (const { name, open, fields, button } of forms) {
  test(`what was typed about ${name} is in the form after signing in again, and not saved`, async ({ page }) => {
    await page.goto(open);
    const field = (label: string) => page.getByRole("main").getByLabel(label, { exact: true });
    const before = await field(Object.keys(fields)[0]!).inputValue();
    for (const [label, value] of Object.entries(fields)) await field(label).fill(value);
    await signOutElsewhere(page);
    await page.getByRole("button", { name: button, exact: true }).click();
    await expect(page).toHaveURL(/\/login\?next=/);
    await expect(page.getByRole("main")).toContainText(
      "Nothing is saved yet: what you typed will be in the form again",
    );
    await signInAgain(page);
    await expect(page).toHaveURL(({ pathname }) => open.startsWith(pathname));
    await expect(unsaved(page)).toBeVisible();
    for (const [label, value] of Object.entries(fields)) await expect(field(label)).toHaveValue(value);
    await page.goto(open);
    await expect(unsaved(page)).toHaveCount(0);
    await expect(field(Object.keys(fields)[0]!)).toHaveValue(before);
  });
}

test("a new user is saved after the break, with a password and picture that are chosen again", async ({ page }) => {
  const name = uniqueName("Ida Break");
  const email = `${name.replace(/\W+/g, "-").toLowerCase()}@hallam.example`;
  await page.goto("/users/new");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Access group").selectOption("Accountant");
  await page.getByLabel("Password", { exact: true }).fill(signIn.password);
  await page.getByLabel("Confirm password").fill(signIn.password);
  await page.getByLabel("Image").setInputFiles(await picture("ida.png"));
  await signOutElsewhere(page);
  await page.getByRole("button", { name: "Add user" }).click();
  await signInAgain(page);
  await expect(unsaved(page)).toContainText("Enter passwords and files again.");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue(name);
  await expect(page.getByLabel("Access group")).toHaveValue("Accountant");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  await page.getByLabel("Password", { exact: true }).fill(signIn.password);
  await page.getByLabel("Confirm password").fill(signIn.password);
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("status").filter({ hasText: `${name} was added` })).toBeVisible();
  await expect(unsaved(page)).toHaveCount(0);
});

test("an access group's ticks and an alert's note are there again", async ({ page }) => {
  await page.goto("/users/group");
  await page.getByLabel("Name").fill("Porters");
  await page.getByLabel("Docs: Read").check();
  await page.getByLabel("Docs: Create").check();
  await signOutElsewhere(page);
  await page.getByRole("button", { name: "Add access group" }).click();
  await signInAgain(page);
  await expect(page.getByLabel("Name")).toHaveValue("Porters");
  await expect(page.getByLabel("Docs: Create")).toBeChecked();
  await expect(page.getByLabel("Docs: Write")).not.toBeChecked();

  await page.goto("/alerts/12?dialog=complete");
  await page.getByLabel("Note").fill("Spoke with them");
  await signOutElsewhere(page);
  await page.getByRole("dialog").getByRole("button", { name: "Complete alert" }).click();
  await signInAgain(page);
  await expect(page.getByRole("dialog").getByLabel("Note")).toHaveValue("Spoke with them");
});

test("another user who signs in does not see the entries", async ({ page }) => {
  await page.goto("/profile?edit");
  await page.getByLabel("Phone").fill("01482 99");
  await signOutElsewhere(page);
  await page.getByRole("button", { name: "Update" }).click();
  await signInAgain(page, "tom@hallam.example");
  await expect(page).toHaveURL(/\/profile\?edit/);
  await expect(unsaved(page)).toHaveCount(0);
  await expect(page.getByLabel("Phone")).not.toHaveValue("01482 99");
  // Nor does the one who typed them, from then on.
  await signOutElsewhere(page);
  await page.goto("/profile?edit");
  await signInAgain(page);
  await expect(page.getByLabel("Phone")).not.toHaveValue("01482 99");
});

test("a button without entries promises none, and does nothing after signing in", async ({ page }) => {
  await page.goto("/branches/edit/1?dialog=remove");
  await signOutElsewhere(page);
  await page.getByRole("dialog").getByRole("button", { name: "Remove branch" }).click();
  await expect(page.getByRole("main")).toContainText("Sign in to continue.");
  await expect(page.getByRole("main")).not.toContainText("what you typed");
  await signInAgain(page);
  await expect(page).toHaveURL("/branches/edit/1");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(unsaved(page)).toHaveCount(0);
});
