import type { Page } from "@playwright/test";
import { expect, test, uniqueName } from "../support/journey.ts";
import { untilFilled, untilGuarded } from "../support/leaving.ts";
import { dialog, main, notice } from "../support/page-parts.ts";

/** What was typed and not saved is in the form again when the user comes back to it. */

test.beforeEach(({ signInAs }) => signInAs());

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const heading = (page: Page, text: string) => expect(page.getByRole("heading", { level: 1 })).toHaveText(text);

/** Types into a form, and waits until the page asks before it is left. */
async function edit(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    const field = main(page).getByLabel(label, { exact: true });
    if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await untilGuarded(page);
}

/** Waits for the reply to a form that was sent. */
const idle = (page: Page) => expect(page.getByText("Loading …")).toHaveCount(0);

async function leave(page: Page) {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
  await question(page).getByRole("button", { name: "Leave without saving" }).click();
  await heading(page, "Help");
}

const forms: { name: string; path: string; fields: Record<string, string> }[] = [
  { name: "a new user", path: "/users/new", fields: { Name: "Ida", Role: "Porter", "Access group": "Accountant" } },
  { name: "a user", path: "/users/edit/3", fields: { City: "Leyland", Role: "" } },
  { name: "a branch", path: "/branches/edit/1", fields: { City: "Hull", Address: "1 Quay" } },
  { name: "the company's profile", path: "/branches/profile?edit", fields: { City: "Hull" } },
  { name: "one's own profile", path: "/profile?edit", fields: { Phone: "01482 3" } },
  { name: "an access group", path: "/users/group?id=3", fields: { Name: "Porters" } },
  {
    name: "a document",
    path: "/documents/edit/8",
    fields: {
      "Document name": "Deed",
      "Document type": "Permit",
      "Document subtype": "Vehicle",
      "Expire date": "01-01-2030",
      "Expire type": "never",
      "Name of the new field": "Half a field",
    },
  },
  { name: "a draft", path: "/documents/new", fields: { "Document type": "Permit", "Document subtype": "Vehicle" } },
];

for (const { name, path, fields } of forms) {
  test(`what was typed about ${name} is there again after Back`, async ({ page }) => {
    await page.goto("/dashboard");
    await page.goto(path);
    await edit(page, fields);
    await leave(page);
    await page.goBack();
    for (const [label, value] of Object.entries(fields)) {
      await expect(main(page).getByLabel(label, { exact: true }), label).toHaveValue(value);
    }
    // Left again, it asks again.
    await leave(page);
    await page.goBack();
    const [label, value] = Object.entries(fields)[0]!;
    await expect(main(page).getByLabel(label, { exact: true })).toHaveValue(value);
  });
}

test("a form that was left and opened by a link shows what is saved, and no password ever returns", async ({
  page,
}) => {
  await page.goto("/users/list");
  await page.getByRole("link", { name: "Edit Tom" }).first().click();
  await heading(page, "Edit user");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Show password" }).first().click();
  await page.getByLabel("City").fill("Leyland");
  await leave(page);
  await page.goBack();
  await expect(page.getByLabel("City")).toHaveValue("Leyland");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
  await leave(page);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Users list" }).click();
  await page.getByRole("link", { name: "Edit Tom" }).first().click();
  await heading(page, "Edit user");
  await expect(page.getByLabel("City")).not.toHaveValue("Leyland");
});

test("nothing returns after saving or signing out", async ({ page }) => {
  const name = uniqueName("Zeal");
  await page.goto("/branches/list");
  await page.goto("/branches/new");
  await edit(page, { Name: name, Country: "United Kingdom", City: "Hull" });
  await page.getByRole("button", { name: "Add branch" }).click();
  await expect(notice(page, `${name} was added`)).toBeVisible();
  await page.goBack();
  await heading(page, "Add new branch");
  await untilFilled(page);
  await expect(page.getByLabel("Name")).toHaveValue("");

  await page.getByLabel("Name").fill("Typed before signing out");
  await page.getByRole("link", { name: "Logout" }).click();
  await dialog(page).getByRole("button", { name: "Logout" }).click();
  await page.getByLabel("Email").fill("tom@hallam.example");
  await page.getByLabel("Password").fill("correct horse battery");
  await expect(page).toHaveURL(/\/login/);
  await page.goBack();
  await expect(page.getByText("Typed before signing out")).toHaveCount(0);
});

test("nothing returns if the next page is opened the moment the reply is shown", async ({ page }) => {
  await page.goto("/branches/new");
  await edit(page, { Name: uniqueName("Zest"), Country: "United Kingdom", City: "Hull" });
  await page.evaluate(() => {
    const help = document.querySelector<HTMLElement>("nav a[href='/help']")!;
    const observer = new MutationObserver(() => {
      if (location.pathname !== "/branches/list") return;
      observer.disconnect();
      help.click();
    });
    observer.observe(document.querySelector("main")!, { childList: true, subtree: true });
  });
  await page.getByRole("button", { name: "Add branch" }).click();
  await heading(page, "Help");
  await page.goBack();
  await heading(page, "Branches");
  await page.goBack();
  await heading(page, "Add new branch");
  await untilFilled(page);
  await expect(page.getByLabel("Name")).toHaveValue("");
});

test("another tab of the page, and a dialog over it, lose nothing", async ({ page }) => {
  await page.goto("/users/group?id=3");
  await edit(page, { Name: "Porters" });
  const isTicked = await page.getByLabel("Docs: Create").isChecked();
  await page.getByLabel("Docs: Create").setChecked(!isTicked);
  await main(page).getByRole("link", { name: "Members" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveCount(0);
  await main(page).getByRole("link", { name: "Access group", exact: true }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Porters");
  await expect(page.getByLabel("Docs: Create")).toBeChecked({ checked: !isTicked });
  await main(page).getByRole("link", { name: "Members" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveCount(0);
  await leave(page);

  await page.goto("/alerts/12?dialog=complete");
  await dialog(page).getByLabel("Note").fill("Spoke with them");
  await untilGuarded(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Complete", exact: true }).click();
  await expect(dialog(page).getByLabel("Note")).toHaveValue("Spoke with them");
  await dialog(page).getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Complete", exact: true }).click();
  await expect(dialog(page).getByLabel("Note")).toHaveValue("");
});

/** Adds a custom field to a document, and returns its value's input. */
async function addField(page: Page) {
  await page.goto("/documents/edit/8");
  await page.getByLabel("Name of the new field").fill("Bay");
  await page.getByLabel("Value of the new field").fill("14");
  await page.getByRole("button", { name: "Add field" }).click();
  const last = page.getByRole("textbox", { name: "Value", exact: true }).last();
  await expect(last).toHaveValue("14");
  return last;
}

test("custom fields that were added and not saved stay when a dialog opens, and after Back", async ({ page }) => {
  const last = await addField(page);
  await page.getByLabel("Document name").fill("Deed");
  await page.getByRole("link", { name: "Logout" }).click();
  await dialog(page).getByRole("link", { name: "Cancel" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(last).toHaveValue("14");
  await idle(page);
  await leave(page);
  await page.goBack();
  await expect(last).toHaveValue("14");
  await expect(page.getByLabel("Document name")).toHaveValue("Deed");
  await idle(page);
});

test("a dialog that is cancelled as soon as it opens closes, and fields that were added stay", async ({ page }) => {
  const last = await addField(page);
  await page.evaluate(() => {
    const cancel = () => document.querySelector<HTMLElement>("dialog [data-discard]");
    const observer = new MutationObserver(() => {
      if (cancel()) observer.disconnect();
      cancel()?.click();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("link", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/documents\/edit\/8$/);
  await expect(dialog(page)).toHaveCount(0);
  await expect(last).toHaveValue("14");
  await idle(page);
});

test("a change that somebody else saved meanwhile is not lost either", async ({ page, context }) => {
  await page.goto("/branches/edit/2");
  const phone = `01772 ${Date.now() % 1000}`;
  await edit(page, { City: "Leyland" });
  await leave(page);
  const other = await context.newPage();
  await other.goto("/branches/edit/2");
  await other.getByLabel("Phone").fill(phone);
  await other.getByRole("button", { name: "Update branch" }).click();
  await expect(notice(other, "changes saved")).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("City")).toHaveValue("Leyland");
  await page.getByRole("button", { name: "Update branch" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByLabel("City")).toHaveValue("Leyland");
});

test("a form that did not reach the server is filled in again by Try again", async ({ page, context }) => {
  await page.goto("/users/edit/3");
  await edit(page, { City: "Leyland" });
  await page.route(/\.data/, (route) => route.abort("internetdisconnected"));
  await page.getByRole("button", { name: "Update user" }).click();
  await heading(page, "No connection");
  await page.unrouteAll();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByLabel("City")).toHaveValue("Leyland");
  expect(context.pages()).toHaveLength(1);
});
