import type { Page } from "@playwright/test";
import { expect } from "../support/journey.ts";
import { client, continueAs } from "../support/identity-provider.ts";
import { signIn } from "../support/sample.ts";
import { besideIdentityProvider } from "../support/single-sign-on.ts";

/** A server whose operator allows companies one identity provider that is not public. */
const test = besideIdentityProvider(({ url }) => ({ OIDC_ALLOWED_HOSTS: new URL(url).host }));

const tab = "/settings/single-sign-on";
const helen = { name: "Helen Marsh", email: signIn.email, email_verified: true, groups: [] };

const statusWith = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

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
  await expect(statusWith(page, "Single sign-on: changes saved")).toBeVisible();
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
  await expect(statusWith(page, "Single sign-on: changes saved")).toBeVisible();
  await expect(page.getByLabel("Switch passwords off")).toBeChecked();
  await page.getByLabel("Switch passwords off").uncheck();
  await page.getByLabel("Client ID").fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Enter the client ID");
  await expect(page.getByLabel("Switch passwords off")).not.toBeChecked();

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
  await expect(statusWith(page, "Single sign-on was removed")).toBeVisible();
  await page.context().clearCookies();
  await page.goto(address);
  await expect(page.getByRole("alert")).toContainText("No company signs in at this address");
});

test("a link on another site shows whose sign-in page it is before anything leaves for the identity provider", async ({
  page,
  signInAs,
  identityProvider,
  server,
}) => {
  identityProvider.accounts.helen = helen;
  await signInAs();
  await configure(page, identityProvider.url);
  const address = (await page.getByRole("link", { name: /\/login\/at\// }).textContent())!.split("/").at(-1)!;
  identityProvider.allow(server.url, address);
  await page.context().clearCookies();
  const begin = `${server.url}/login/sso?address=${address}&next=/documents/new`;
  const link = `<title>Elsewhere</title><a href="${begin.replaceAll("&", "&amp;")}">Your prize</a>`;
  await page.route("http://elsewhere.example/", (route) => route.fulfill({ contentType: "text/html", body: link }));
  await page.goto("http://elsewhere.example/");
  await page.getByRole("link", { name: "Your prize" }).click();
  await expect(page).toHaveURL(`${server.url}/login/at/${address}?next=%2Fdocuments%2Fnew`);
  await expect(page.getByRole("main")).toContainText(
    "This is the sign-in page of the company “Hallam & Reid Ltd”. Its users sign in with their accounts at 127.0.0.1",
  );
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await continueAs(page, "helen");
  await expect(page).toHaveURL(`${server.url}/documents/new`);

  const own = { referer: `${server.url}/login` };
  for (const [headers, isBegun] of [
    [{ "sec-fetch-site": "same-origin" }, true],
    [own, true],
    [{}, false],
    [{ referer: "http://elsewhere.example/" }, false],
    [{ referer: `${server.url}.elsewhere.example/` }, false],
    ...["none", "same-site", "cross-site"].map((site) => [{ ...own, "sec-fetch-site": site }, false] as const),
  ] as [Record<string, string>, boolean][]) {
    const { status, headers: answer } = await fetch(begin, { headers, redirect: "manual" });
    const to = isBegun ? `${identityProvider.url}/auth?` : `/login/at/${address}?`;
    expect([headers, status, answer.get("location")]).toEqual([headers, 302, expect.stringContaining(to)]);
    expect(answer.getSetCookie().join()).toContain(isBegun ? "sealdesk-sign-in=" : "");
    if (!isBegun) expect(answer.getSetCookie().join()).not.toContain("sign-in=");
  }
});

test("only administrators see the tab", async ({ page, signInAs }) => {
  await signInAs("priya@hallam.example");
  await page.goto(tab);
  await expect(page.getByRole("link", { name: "Single sign-on" })).toHaveCount(0);
  await expect(page.getByLabel("Client ID")).toHaveCount(0);
});
