import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, expect, test } from "@playwright/test";
import { daysInMs } from "#lib/units.ts";
import { confirmPresence } from "../support/confirm-presence.ts";
import { asMadeFor, browserCookie, type FormClient, pageUserOf, signInClient } from "../support/form-client.ts";
import { dialog, notice } from "../support/page-parts.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** What an administrator can't do more than ten minutes after signing in, until they confirm that it is they. */

const clock = pathToFileURL(join(import.meta.dirname, "..", "support/shifted-clock.ts")).href;

let server: TestServer;
let old: FormClient;
let data: string;

test.beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "sealdesk-step-up-"));
  cpSync(sampleData, data, { recursive: true });
  // An hour ago.
  const before = await startServer({ on: data, env: { NODE_OPTIONS: `--import ${clock}`, CLOCK_HOURS: "-1" } });
  old = await signInClient(before.url);
  await before.stop();
  server = await startServer({ on: data });
});

test.afterAll(async () => {
  await server.stop();
  rmSync(data, { recursive: true });
});

for (const javaScriptEnabled of [true, false]) {
  const scripts = `scripts ${javaScriptEnabled ? "on" : "off"}`;

  /** A browser with the session of an hour ago. */
  async function open(browser: Browser) {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: server.url });
    await context.addCookies([browserCookie({ url: server.url, cookie: old.cookie })]);
    await unprove();
    return { context, page: await context.newPage() };
  }

  test(`an access group's form comes back with what was typed, ${scripts}`, async ({ browser }) => {
    const { context, page } = await open(browser);
    const name = `Porters ${javaScriptEnabled}`;
    await page.goto("/users/group");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Docs: Read").check();
    await page.getByLabel("Scope for Docs").selectOption("Company");
    await page.getByRole("button", { name: "Add access group" }).click();
    await expect(page.getByRole("main")).toContainText("what you typed will be in the form again");
    await confirmPresence(page);
    await expect(page.getByRole("status").filter({ hasText: "Not saved yet" })).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue(name);
    await expect(page.getByLabel("Docs: Read")).toBeChecked();
    await page.getByRole("button", { name: "Add access group" }).click();
    await expect(page.getByRole("status").filter({ hasText: "was added" })).toBeVisible();
    await context.close();
  });

  test(`a dialog comes back with the reason of a revocation, ${scripts}`, async ({ browser }) => {
    const fresh = await signInClient(server.url);
    await fresh.post("/settings/seal-keys", { intent: "rotate-seal-key" });
    const { context, page } = await open(browser);
    await page.goto("/settings/seal-keys");
    await page.getByRole("link", { name: "Revoke" }).first().click();
    await page.getByLabel("Reason").selectOption("Somebody else may have the key");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await confirmPresence(page);
    await expect(page.getByLabel("Reason")).toHaveValue("compromised");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await expect(notice(page, "is revoked")).toBeVisible();
    await context.close();
  });

  test(`the form of single sign-on comes back with all but its secret, ${scripts}`, async ({ browser }) => {
    const { context, page } = await open(browser);
    await page.goto("/settings/single-sign-on");
    await page.getByLabel("Address of the identity provider").fill("https://login.hallam.example");
    await page.getByLabel("Client ID").fill("sealdesk");
    await page.getByLabel("Client secret").fill("a secret of the client");
    await page.getByLabel("Switch passwords off").check();
    await page.getByRole("button", { name: "Set up single sign-on" }).click();
    await confirmPresence(page);
    await expect(page.getByLabel("Client ID")).toHaveValue("sealdesk");
    await expect(page.getByLabel("Client secret")).toHaveValue("");
    await expect(page.getByLabel("Switch passwords off")).toBeChecked();
    await context.close();
  });

  test(`a dialog that removes something comes back and asks again, ${scripts}`, async ({ browser }) => {
    const fresh = await signInClient(server.url);
    const name = `Ledger ${javaScriptEnabled}`;
    await fresh.post("/profile/api-keys/new", { name, expires_on: inAMonth(), scope: "read", areas: "docs" });
    await fresh.post("/users/group", { name, intent: "save" });
    const { context, page } = await open(browser);
    await page.goto("/profile/api-keys");
    await page.getByRole("link", { name: `Revoke API key ${name}` }).click();
    await page.getByRole("button", { name: "Revoke API key" }).click();
    await confirmPresence(page);
    await expect(dialog(page)).toContainText(`Revoke the API key ${name}?`);
    await page.getByRole("button", { name: "Revoke API key" }).click();
    await expect(notice(page, "The API key was revoked")).toBeVisible();

    await unprove();
    await page.goto("/users/roles");
    await page.getByRole("link", { name: `Edit ${name}` }).click();
    await page.getByRole("button", { name: "Remove access group" }).click();
    await dialog(page).getByRole("button", { name: "Remove access group" }).click();
    await confirmPresence(page);
    await expect(dialog(page)).toContainText(`Remove ${name}?`);
    await dialog(page).getByRole("button", { name: "Remove access group" }).click();
    await expect(notice(page, "was removed")).toBeVisible();
    await context.close();
  });
}

const inAMonth = () => new Date(Date.now() + daysInMs(30)).toISOString().slice(0, 10);

/** Makes the session one of an hour ago again. */
async function unprove() {
  const { DatabaseSync } = await import("node:sqlite");
  // The server may be writing.
  const db = new DatabaseSync(join(data, "sealdesk.db"), { timeout: 30_000 });
  db.exec("update tokens set proved_at = null where kind = 'session'");
  db.close();
}

for (const elsewhere of ["//evil.example/", "/\\evil.example", "/\t/evil.example", "/\n\r/evil.example"]) {
  test(`cancelling never leads to ${JSON.stringify(elsewhere)}`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
    await context.addCookies([browserCookie({ url: server.url, cookie: old.cookie })]);
    const page = await context.newPage();
    await page.goto(`/confirm?next=${encodeURIComponent(elsewhere)}`);
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await context.close();
  });
}

test("tariff, passwords, emails, access groups, keys, webhooks and single sign-on lead to the page that asks who it is", async () => {
  await unprove();
  const headers = { cookie: old.cookie, origin: server.url };
  const pageUser = pageUserOf(await (await fetch(`${server.url}/logout`, { headers })).text());
  const send = (path: string, form: Record<string, string>) =>
    fetch(server.url + path, { method: "POST", redirect: "manual", headers, body: asMadeFor(pageUser, form) });
  const { password } = signIn;
  const user = { name: "New", email: "new@hallam.example", staff: "Accountant", password, intent: "save" };
  for (const [path, form] of [
    ["/users/new", { ...user, password_confirmation: password }],
    ["/users/group", { name: "Porters", intent: "save" }],
    ["/tariffs", { tariff: "2", intent: "choose" }],
    ["/profile/api-keys/new", { name: "Ledger", expires_on: inAMonth(), scope: "read", areas: "docs" }],
    ["/profile?edit", { name: "Helen Marsh", email: "helen@new.example", intent: "save" }],
    ["/settings/single-sign-on", { intent: "remove-identity-provider" }],
    ["/webhooks/new", { name: "Ledger", url: "https://hooks.example/sealdesk", events: "document.issued" }],
  ] as const) {
    expect((await send(path, form)).headers.get("location"), path).toMatch(/^\/confirm\?next=/);
  }
});
