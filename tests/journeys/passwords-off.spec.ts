import { join } from "node:path";
import Database from "better-sqlite3";
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

test("a while after sign-in, a user without a password signs out and in again to prove who it is", async ({
  page,
  server,
  identityProvider,
  storage,
}) => {
  test.skip(storage !== "sqlite-disk", "the sign-in is put back in the file");
  identityProvider.accounts.helen = { name: "Helen Marsh", email: signIn.email, email_verified: true, groups: [] };
  await page.goto("/login");
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await continueAs(page, "helen");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  const rows = new Database(join(server.data, "sealdesk.db"));
  rows.prepare("update tokens set created_at = '2026-01-01T00:00:00.000Z' where kind = 'session'").run();
  rows.close();

  await page.goto("/users/new");
  await expect(page.getByLabel("Access group")).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  await page.goto("/profile");
  await expect(page.getByRole("region", { name: "Signing in" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Add passkey" })).toHaveCount(0);
  await page.goto("/profile?edit");
  await page.getByLabel("Email").fill("helen@new.example");
  await page.getByLabel("City").fill("York");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm that it is you");
  await expect(page.getByRole("main")).toContainText("You have no password here: sign out and in again");
  await expect(page.getByLabel("Password")).toHaveCount(0);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign out here as well" }).click();
  await expect(page.getByRole("main")).toContainText("what you typed will be in the form again");
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await continueAs(page, "helen");
  await expect(page.getByLabel("Email")).toHaveValue("helen@new.example");
  await expect(page.getByLabel("City")).toHaveValue("York");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("region", { name: "New email" })).toContainText("helen@new.example is not confirmed yet");
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

test("a user who signs in by a link does not see what another one typed", async ({
  page,
  server,
  identityProvider,
  storage,
}) => {
  test.skip(storage !== "sqlite-disk", "the command needs the server's own database");
  identityProvider.accounts.helen = { name: "Helen Marsh", email: signIn.email, email_verified: true, groups: [] };
  await page.goto("/login");
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await continueAs(page, "helen");
  await page.goto("/profile?edit");
  await page.getByLabel("Phone").fill("01482 99");
  await page.request.post("/logout", { maxRedirects: 0 });
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByRole("main")).toContainText("what you typed will be in the form again");
  const stores = { DATA_DIR: server.data, PUBLIC_URL: server.url };
  const { stdout } = await runCommand(stores, "sign-in-link", "tom@hallam.example");
  await page.goto(stdout.trim());
  await page.getByRole("button", { name: "Sign in as" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
  await page.goto("/profile?edit");
  await expect(page.getByLabel("Phone")).not.toHaveValue("01482 99");
});
