import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { daysInMs } from "#units";
import { browserCookie, type FormClient, signInClient } from "../support/form-client.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** What an administrator can't do more than ten minutes after signing in, until they confirm that it is they. */

const clock = pathToFileURL(join(import.meta.dirname, "..", "support", "shifted-clock.ts")).href;

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

async function confirm(page: Page) {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm that it is you");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("alert")).toContainText("The password is not right");
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Confirm" }).click();
}

for (const javaScriptEnabled of [true, false]) {
  test(`an access group's form comes back with what was typed, scripts ${javaScriptEnabled ? "on" : "off"}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled, baseURL: server.url });
    await context.addCookies([browserCookie({ url: server.url, cookie: old.cookie })]);
    const page = await context.newPage();
    await unprove();
    const name = `Porters ${javaScriptEnabled}`;
    await page.goto("/users/group");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Docs: Read").check();
    await page.getByLabel("Scope for Docs").selectOption("Company");
    await page.getByRole("button", { name: "Add access group" }).click();
    await expect(page.getByRole("main")).toContainText("what you typed will be in the form again");
    await confirm(page);
    await expect(page.getByRole("status").filter({ hasText: "Not saved yet" })).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue(name);
    await expect(page.getByLabel("Docs: Read")).toBeChecked();
    await page.getByRole("button", { name: "Add access group" }).click();
    await expect(page.getByRole("status").filter({ hasText: "was added" })).toBeVisible();
    await context.close();
  });
}

/** Makes the session one of an hour ago again. */
async function unprove() {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(join(data, "sealdesk.db"));
  db.exec("update tokens set proved_at = null where kind = 'session'");
  db.close();
}

test("tariff, users' passwords, access groups, keys and webhooks lead to the page that asks who it is", async () => {
  await unprove();
  const client = { ...old, url: server.url };
  const send = (path: string, form: Record<string, string>) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: client.cookie, origin: server.url },
      body: new URLSearchParams(form),
    });
  const { password } = signIn;
  const user = { name: "New", email: "new@hallam.example", staff: "Accountant", password, intent: "save" };
  const inAMonth = new Date(Date.now() + daysInMs(30)).toISOString().slice(0, 10);
  for (const [path, form] of [
    ["/users/new", { ...user, password_confirmation: password }],
    ["/users/group", { name: "Porters", intent: "save" }],
    ["/tariffs", { tariff: "2", intent: "choose" }],
    ["/profile/api-keys/new", { name: "Ledger", expires_on: inAMonth, scope: "read", areas: "docs" }],
    ["/webhooks/new", { name: "Ledger", url: "https://hooks.example/sealdesk", events: "document.issued" }],
  ] as const) {
    expect((await send(path, form)).headers.get("location"), path).toMatch(/^\/confirm\?next=/);
  }
});
