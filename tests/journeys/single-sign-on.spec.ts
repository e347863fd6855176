import type { Page } from "@playwright/test";
import { expect } from "../support/journey.ts";
import { client, continueAs, startIdentityProvider } from "../support/identity-provider.ts";
import { startSample } from "../support/sample-server.ts";
import { signIn } from "../support/sample.ts";
import { besideIdentityProvider, operatorsAt } from "../support/single-sign-on.ts";

/** A server whose operator has an identity provider. */
const test = besideIdentityProvider((identityProvider) => ({
  ...operatorsAt(identityProvider),
  OIDC_GROUPS_CLAIM: "groups",
}));

test.beforeEach(({ identityProvider }) => void (identityProvider.answers = "well"));

const helen = { name: "Helen Marsh", email: signIn.email, email_verified: true, groups: [] };

const begin = (page: Page) => page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();

test("a user signs in at the identity provider, returns to the page that needed it, and signs out at both", async ({
  page,
  identityProvider,
}) => {
  identityProvider.accounts.helen = helen;
  await page.goto("/documents/list?name=lease");
  await begin(page);
  await expect(page).toHaveTitle("Identity provider");
  await continueAs(page, "helen");
  await expect(page).toHaveURL(/\/documents\/list\?name=lease$/);
  await expect(page.getByRole("status").filter({ hasText: "Signed in as Helen Marsh" })).toBeVisible();
  await page.goto("/logout");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.getByRole("button", { name: "Sign out here as well" }).click();
  await expect(page).toHaveURL(/\/login(\?|$)/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  // At the identity provider nobody is signed in any more.
  await begin(page);
  await expect(page.getByLabel("Name")).toBeVisible();
});

test("a new user gets the access group that the claim gives, loses it with the claim, and has it again", async ({
  page,
  signInAs,
  identityProvider,
}) => {
  const nina = {
    name: "Nina Newcomer",
    email: "nina@newcomer.example",
    email_verified: true,
    groups: ["Finance team"],
  };
  identityProvider.accounts.nina = nina;
  await signInAs();
  await page.goto("/users/roles");
  await page.getByRole("link", { name: "Accountant", exact: true }).click();
  await page.getByLabel("Groups at the identity provider").fill("Auditors\nFinance team");
  await page.getByRole("button", { name: "Update access group" }).click();
  await expect(page.getByRole("status").filter({ hasText: "changes saved" })).toBeVisible();
  await page.context().clearCookies();

  await page.goto("/login");
  await begin(page);
  await continueAs(page, "nina");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.goto("/users/list?name=Newcomer");
  await page.getByRole("link", { name: "Info Nina Newcomer" }).click();
  await expect(page.getByRole("main")).toContainText("nina@newcomer.example");
  await expect(page.getByRole("main")).toContainText("Accountant");
  await page.context().clearCookies();

  nina.groups = ["Nobody"];
  await page.goto("/login");
  await begin(page);
  await continueAs(page, "nina");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not signed in");
  await expect(page.getByRole("alert")).toContainText("None of your groups at the identity provider lets you in");
  nina.groups = ["Auditors"];
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
});

test("a refusal says why and leads back to the sign-in page", async ({ page, identityProvider }) => {
  identityProvider.accounts.eve = { name: "Eve", email: signIn.email, email_verified: false, groups: [] };
  await page.goto("/login");
  await begin(page);
  await continueAs(page, "eve");
  await expect(page.getByRole("alert")).toContainText("gave no verified email address");
  await page.getByRole("link", { name: "Go to the sign-in page" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await page.context().clearCookies();
  await begin(page);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("alert")).toContainText("did not sign you in, or you cancelled there");
});

test("an answer counts once, and only in the browser that began", async ({
  page,
  browser,
  identityProvider,
  server,
}) => {
  identityProvider.accounts.helen = helen;
  await page.goto("/login");
  await begin(page);
  const answers: string[] = [];
  page.on("request", (request) => request.url().includes("/login/sso/return?") && answers.push(request.url()));
  await continueAs(page, "helen");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  const other = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  const elsewhere = await other.newPage();
  await elsewhere.goto(answers[0]!);
  await expect(elsewhere.getByRole("alert")).toContainText("begun in another browser");
  await other.close();
});

test("with an identity provider that hangs or answers with a page, the page has words", async ({ page, storage }) => {
  const broken = await startIdentityProvider();
  const env = { OIDC_ISSUER: broken.url, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret };
  const server = await startSample(storage, env);
  for (const [answers, words, reason] of [
    ["never", "did not answer in time", "identity provider unreachable"],
    ["with a page", "not set up correctly", "unexpected response content-type"],
  ] as const) {
    broken.answers = answers;
    await page.goto(`${server.url}/login`);
    await begin(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not signed in");
    await expect(page.getByRole("alert")).toContainText(words);
    expect(server.output()).toContain(reason);
  }
  await server.stop();
  await broken.stop();
});

test("what nobody began, and an address of no company, are said to be so", async ({ page }) => {
  await page.goto("/login/sso/return?code=guessed&state=guessed");
  await expect(page.getByRole("alert")).toContainText("begun in another browser");
  await page.goto("/login/at/guessed");
  await expect(page.getByRole("alert")).toContainText("No company signs in at this address");
  await page.goto("/login/sso?address=guessed");
  await expect(page.getByRole("alert")).toContainText("No company signs in at this address");
});

test("a link from elsewhere shows the sign-in page first, and keeps the page that it leads to", async ({
  page,
  identityProvider,
}) => {
  identityProvider.accounts.helen = helen;
  await page.goto("/login/sso?next=/documents/archive");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
  await begin(page);
  await continueAs(page, "helen");
  await expect(page).toHaveURL(/\/documents\/archive$/);
});

test("signing in at the identity provider never leads to another site", async ({ page, identityProvider, server }) => {
  identityProvider.accounts.helen = helen;
  await page.goto(`/login?next=${encodeURIComponent("/\\evil.example")}`);
  await begin(page);
  await continueAs(page, "helen");
  await expect(page).toHaveURL(new RegExp(`^${server.url}/dashboard`));
});
