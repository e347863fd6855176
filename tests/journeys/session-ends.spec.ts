import type { Page } from "@playwright/test";
import { untilGuarded } from "../support/leaving.ts";
import { otherSignIn } from "../support/other-provider.ts";
import { expect, test } from "../support/other-journey.ts";
import { picture } from "../support/page-files.ts";
import { chooseType } from "../support/wizard.ts";

/** Sessions that the provider ends at the very call that a form makes, and providers that fail at it. */

test.beforeEach(({ signInAs }) => signInAs());

const ended = { status: 401, body: { message: "Unauthenticated." } };

async function signInAgain(page: Page) {
  await expect(page).toHaveURL(/\/login\?next=/);
  await expect(page.getByRole("main")).toContainText("what you typed will be in the form again, except passwords");
  await page.getByLabel("Email").fill(otherSignIn.email);
  await page.getByLabel("Password").fill(otherSignIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

for (const { name, open, button, call } of [
  { name: "a new user", open: "/users/new", button: "Add user", call: "POST /api/users" },
  { name: "a user", open: "/users/edit/7", button: "Update user", call: "PUT /api/users/7" },
]) {
  test(`what was typed about ${name} is in the form again, without password and picture`, async ({ page, other }) => {
    await page.goto(open);
    await page.getByLabel("Name", { exact: true }).fill("Ida Break");
    await page.getByLabel("Email").fill("ida@trent.example");
    await page.getByLabel("Access group").fill("Clerks");
    await page.getByLabel("Country").fill("United Kingdom");
    await page.getByLabel("City").fill("Hull");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByLabel("Confirm password").fill("correct horse battery");
    await page.getByLabel("Image").setInputFiles(await picture("ida.png"));
    other.answers.set(call, ended);
    await page.getByRole("button", { name: button }).click();
    await signInAgain(page);
    other.answers.clear();
    await expect(page).toHaveURL(open);
    await expect(page.getByRole("status").filter({ hasText: "Enter passwords and files again." })).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ida Break");
    await expect(page.getByLabel("City")).toHaveValue("Hull");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
    await page.goto(open);
    await expect(page.getByLabel("City")).toHaveValue("");
  });
}

test("what was typed in the wizard is in the draft", async ({ page, other }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("Charter of the break");
  let requests = 0;
  // The page asks who is signed in, and again once the form was read.
  other.answers.set("GET /api/users", () => (++requests === 2 ? ended : { body: { id: 7, ...otherUser } }));
  await page.getByRole("button", { name: "Next" }).click();
  await signInAgain(page);
  await expect(page.getByLabel("Document name")).toHaveValue("Charter of the break");
});

const otherUser = { name: "Olive Trent", email: otherSignIn.email, role: "manager", branch: "Wharf", staff: "Clerks" };

test("a form sent while the provider was not available is filled in by Try again", async ({
  page,
  other,
  hasScripts,
}) => {
  await page.goto("/users/new");
  await page.getByLabel("Name", { exact: true }).fill("Ida Break");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  if (hasScripts) await untilGuarded(page);
  other.answers.set("GET /api/users", { status: 500, body: { message: "Out of order" } });
  await page.getByRole("button", { name: "Add user" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The provider is not available");
  if (!hasScripts) await expect(page.getByText("what you typed will be in the form again")).toBeVisible();
  other.answers.clear();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ida Break");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
});

test("a visitor's report stays in its form while the register does not answer", async ({ page, other }) => {
  const code = "4C7H29KD3P172XQ08";
  const document = {
    code,
    verdict: "in force",
    company: "Trent Ltd",
    document_type: "Permit",
    number: "NM-T1",
    date: "2026-09-01",
    expire_date: "",
    pages: 1,
    timezone: "Europe/London",
  };
  other.answers.set(`GET /api/verify/${code}`, { body: document });
  other.answers.set(`POST /api/verify/${code}/scans`, { status: 201, body: { scan: "a".repeat(22) } });
  await page.goto(`/v/${code}`);
  await page.getByText("Report a problem").click();
  await page.getByLabel("What is wrong").fill("The rent on the paper is another");
  for (const call of [`GET /api/verify/${code}`, `POST /api/verify/${code}/complaint`]) {
    other.answers.set(call, { status: 500, body: { message: "Out of order" } });
  }
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("The register did not answer.")).toBeVisible();
  await expect(page.getByLabel("What is wrong")).toHaveValue("The rent on the paper is another");
});
