import type { Page } from "@playwright/test";
import Database from "better-sqlite3";
import { join } from "node:path";
import { confirmPresence } from "../support/confirm-presence.ts";
import { expect, test } from "../support/journey.ts";
import { main, notice } from "../support/page-parts.ts";

// A server of its own: keys stay for ever.
test.use({ serverEnv: {} });

/** The keys that everybody can read. */
const publishedKeys = async (page: Page) =>
  (await (await page.request.get("/.well-known/jwks.json")).json()) as {
    keys: { iss_name?: string; revoked_reason?: string }[];
  };

// The first, as no key may be made while one waits for its day.
test("a company whose certificate differs from its profile learns that a new key gets a new one", async ({
  page,
  signInAs,
}) => {
  await signInAs();
  const outdated = () => main(page).getByText("differs from your company’s profile");
  await page.goto("/settings/seal-keys");
  await expect(page.getByRole("row").filter({ hasText: "In use" })).toHaveCount(1);
  await expect(outdated()).toHaveCount(0);
  await page.goto("/branches/profile?edit");
  await page.getByLabel("Registration or VAT number").fill("VATGB-123456789");
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page).toHaveURL(/\/branches\/profile$/);
  await page.goto("/settings/seal-keys");
  await expect(outdated()).toBeVisible();
});

test("a company replaces its seal key and revokes the earlier one", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/settings");
  await page.getByRole("link", { name: "Seal keys" }).click();
  const inUse = page.getByRole("row").filter({ hasText: "In use" });
  await expect(inUse).toHaveCount(1);
  const [first] = (await inUse.getByRole("rowheader").textContent())!.match(/[0-9a-f]{8}/)!;
  await page.getByRole("link", { name: "Make new key" }).click();
  await expect(page.getByRole("dialog")).toContainText("what it signed stays valid");
  await page.getByRole("button", { name: "Make new key" }).click();
  await expect(notice(page, "is published and used in a day")).toBeVisible();
  const row = (key: string) => page.getByRole("row").filter({ hasText: key });
  await expect(row("Next")).toHaveCount(1);
  await expect(inUse).toContainText(first);
  await expect(page.getByRole("link", { name: "Make new key" })).toHaveCount(0);

  await page.getByRole("link", { name: `Revoke key ${first}` }).click();
  await expect(page.getByRole("dialog")).toContainText("The next seal has key");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByRole("dialog")).toContainText("Choose a reason");
  await expect(page).toHaveTitle(/^Error: /);
  await page.getByLabel("Reason").selectOption("Somebody else may have the key");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(notice(page, `Key ${first} is revoked`)).toBeVisible();
  await expect(row(first)).toContainText("Revoked");
  await expect(page.getByRole("link", { name: `Revoke key ${first}` })).toHaveCount(0);
  await expect(inUse, "the next one is used at once").toHaveCount(1);

  await page.goto("/audit");
  await expect(main(page)).toContainText("Seal key revoked");
  const logs = async () => (await (await page.request.get("/log")).json()) as { key: string }[];
  await expect.poll(logs, "a job begins the log").toHaveLength(1);
  const [log] = await logs();
  await page.goto("/seals");
  await expect(main(page)).toContainText(/([0-9A-F]{2} ){31}[0-9A-F]{2}/);
  await expect(main(page), "what a proof’s log-key.txt is compared with").toContainText(log!.key);
  const { keys } = await publishedKeys(page);
  expect(keys).toMatchObject([{ revoked_reason: "compromised" }, {}]);
});

test("a company chooses whether the published keys have its name", async ({ page, signInAs }) => {
  await signInAs();
  const names = async () => new Set((await publishedKeys(page)).keys.map(({ iss_name }) => iss_name));
  expect(await names()).toEqual(new Set([undefined]));
  await page.goto("/settings/seal-keys");
  await expect(main(page)).toContainText("Your company’s name does not stand beside it");
  await page.getByRole("button", { name: "Name the company beside its keys" }).click();
  await expect(notice(page, "The published keys have your company’s name")).toBeVisible();
  await expect(main(page)).toContainText("Your company’s name stands beside it");
  expect(await names()).toEqual(new Set(["Hallam & Reid Ltd"]));
  await page.getByRole("button", { name: "Take the name off the keys" }).click();
  await expect(notice(page, "The published keys no longer have your company’s name")).toBeVisible();
  expect(await names()).toEqual(new Set([undefined]));
});

test("some time after the sign-in, a change needs a proof", async ({ page, server, signInAs, storage }) => {
  test.skip(storage !== "sqlite-disk", "the sign-in is put back in the file");
  await signInAs();
  const rows = new Database(join(server.data, "sealdesk.db"));
  rows.prepare("update tokens set created_at = '2026-01-01T00:00:00.000Z' where kind = 'session'").run();
  rows.close();
  await page.goto("/settings/seal-keys");
  await page.getByRole("link", { name: "Make new key" }).click();
  const send = () => page.getByRole("button", { name: "Make new key" }).click();
  await send();
  await confirmPresence(page);
  await send();
  await expect(notice(page, "is published and used in a day")).toBeVisible();
});

test("a company learns that readers are not told of a key below a retired root", async ({
  page,
  server,
  signInAs,
  storage,
}) => {
  test.skip(storage !== "sqlite-disk", "the root's key is deleted in the file");
  await signInAs();
  await page.goto("/settings/seal-keys");
  await expect(main(page)).not.toContainText("PDF readers");
  const rows = new Database(join(server.data, "sealdesk.db"));
  rows.prepare("update seal_roots set private_key = null, retired_at = created_at").run();
  rows.close();
  await page.getByRole("link", { name: "Revoke key" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("PDF readers go on calling its seals valid");
  await page.getByLabel("Reason").selectOption("Somebody else may have the key");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(main(page)).toContainText("PDF readers go on calling its seals valid");
});

test("users who may only read the company profile change no key", async ({ page, signInAs }) => {
  await signInAs("priya@hallam.example");
  await page.goto("/settings/seal-keys?dialog=rotate-seal-key");
  await expect(main(page)).toContainText("The key in use signs your sealed PDFs and codes");
  await expect(page.getByRole("link", { name: "Make new key" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Name the company beside its keys" })).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
