import type { Page } from "@playwright/test";
import { expect } from "../support/journey.ts";
import { client, continueAs } from "../support/identity-provider.ts";
import { signIn } from "../support/sample.ts";
import { besideIdentityProvider } from "../support/single-sign-on.ts";

/** A server whose operator allows companies one identity provider that is not public. */
const test = besideIdentityProvider(({ url }) => ({ OIDC_ALLOWED_HOSTS: new URL(url).host }));

const tab = "/branches/profile?tab=single-sign-on";
const helen = { name: "Helen Marsh", email: signIn.email, email_verified: true, groups: [] };

const said = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

async function configure(page: Page, issuer: string) {
  await page.goto(tab);
  await page.getByLabel("Address of the identity provider").fill(issuer);
  await page.getByLabel("Client ID").fill(client.id);
  await page.getByLabel("Client secret").fill(client.secret);
  await page.getByLabel("Groups claim").fill("groups");
  await page.getByRole("button", { name: "Set up single sign-on" }).click();
}

test("a company sets up its own identity provider, signs in by it alone, and removes it", async ({
  page,
  signInAs,
  identityProvider,
  server,
  hasScripts,
}) => {
  identityProvider.accounts.helen = helen;
  await signInAs();
  // An address that nobody may connect to is refused, and what was typed stays; no reply has the secret.
  await configure(page, "https://169.254.169.254");
  await expect(page.getByLabel("Address of the identity provider")).toHaveAccessibleDescription(
    /No identity provider answers/,
  );
  await expect(page.getByLabel("Client ID")).toHaveValue(client.id);
  if (!hasScripts) await expect(page.getByLabel("Client secret")).toHaveValue("");
  await configure(page, identityProvider.url);
  await expect(said(page, "Single sign-on: changes saved")).toBeVisible();
  const address = (await page.getByRole("link", { name: /\/login\/at\// }).textContent())!;
  identityProvider.allow(server.url, address.split("/").at(-1)!);

  await page.context().clearCookies();
  await page.goto(address);
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await continueAs(page, "helen");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.goto(tab);
  await page.getByLabel("Switch passwords off").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(said(page, "Single sign-on: changes saved")).toBeVisible();
  await expect(page.getByLabel("Switch passwords off")).toBeChecked();

  await page.goto("/logout");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.getByRole("button", { name: "Sign out here as well" }).click();
  await page.getByLabel("Email").fill(signIn.email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(
    `Passwords are switched off. Sign in with single sign-on: ${address}`,
  );
  // This browser knows the company's identity provider by now.
  await page.goto("/login");
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await continueAs(page, "helen");
  await page.goto(tab);
  await page.getByRole("link", { name: "Remove single sign-on" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove single sign-on" }).click();
  await expect(said(page, "Single sign-on was removed")).toBeVisible();
  await page.context().clearCookies();
  await page.goto(address);
  await expect(page.getByRole("alert")).toContainText("No company signs in at this address");
});

test("only administrators see the tab", async ({ page, signInAs }) => {
  await signInAs("priya@hallam.example");
  await page.goto(tab);
  await expect(page.getByRole("link", { name: "Single sign-on" })).toHaveCount(0);
  await expect(page.getByLabel("Client ID")).toHaveCount(0);
});
