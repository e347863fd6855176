import { expect } from "../support/journey.ts";
import { runCommand } from "../support/command.ts";
import { continueAs } from "../support/identity-provider.ts";
import { signIn } from "../support/sample.ts";
import { besideIdentityProvider, operatorsAt } from "../support/single-sign-on.ts";

/** A server whose operator has switched passwords off. */
const test = besideIdentityProvider((identityProvider) => ({ ...operatorsAt(identityProvider), OIDC_ONLY: "1" }));

test("with passwords off, pages and calls have none, and single sign-on works", async ({
  page,
  server,
  identityProvider,
}) => {
  identityProvider.accounts.helen = { name: "Helen Marsh", email: signIn.email, email_verified: true, groups: [] };
  await page.goto("/login");
  await expect(page.getByLabel("Password")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Forgot password?" })).toHaveCount(0);
  await page.goto("/forgot");
  await expect(page.getByRole("main")).toContainText("Passwords are switched off here");
  await expect(page.getByLabel("Email")).toHaveCount(0);
  const { email, password } = signIn;
  for (const path of ["/api/login", "/login"]) {
    const body = new URLSearchParams({ email, password });
    const reply = await fetch(server.url + path, { method: "POST", body, headers: { origin: server.url } });
    expect(await reply.text()).toContain("Passwords are switched off");
    expect(reply.headers.get("set-cookie") ?? "").not.toContain("sealdesk=");
  }
  await page.goto("/forgot");
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await continueAs(page, "helen");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
});

test("the operator lets a user in by a link, which works once", async ({ page, server, storage }) => {
  test.skip(storage !== "sqlite-disk", "the command needs the server's own database");
  const stores = { DATA_DIR: server.data, PUBLIC_URL: server.url };
  const unknown = await runCommand(stores, "sign-in-link", "nobody@northmill.example");
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining("No user who can sign in")]);
  const { exitCode, stdout } = await runCommand(stores, "sign-in-link", signIn.email);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^http\S+\/sign-in-link\?token=\S+\n$/)]);
  await page.goto(stdout.trim());
  await expect(page.getByRole("main")).toContainText(`Helen Marsh, ${signIn.email}`);
  await page.getByRole("button", { name: "Sign in as Helen Marsh" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.context().clearCookies();
  await page.goto(stdout.trim());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link not valid");
});
