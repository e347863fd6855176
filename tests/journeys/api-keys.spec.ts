import type { Page } from "@playwright/test";
import { inDays } from "../support/days.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { newColleague } from "../support/users.ts";

/** Fills the form that makes a key, and sends it. */
async function makeKey(page: Page, name: string, { areas = ["Docs"], rights = /^Read$/ } = {}) {
  await page.goto("/profile/api-keys/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Valid until").fill(inDays(30));
  await page.getByRole("radio", { name: rights }).check();
  for (const area of areas) await page.getByRole("checkbox", { name: area }).check();
  await page.getByRole("button", { name: "Make the API key" }).click();
  await expect(page.getByText("Copy this key now: it is not shown again.")).toBeVisible();
  return page.getByText(/^sd_live_/).innerText();
}

test("a user makes an API key, which is shown once, uses it and revokes it", async ({ page, server, signInAs }) => {
  await signInAs();
  await page.goto("/settings");
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("link", { name: "Make an API key" }).click();
  const name = uniqueName("Reports");
  const key = await makeKey(page, name);
  expect(page.url()).not.toContain("sd_live_");
  const headers = { authorization: `Bearer ${key}` };
  const use = async () => (await fetch(`${server.url}/api/documents?per_page=1`, { headers })).status;
  expect(await use()).toBe(200);
  await page.getByRole("link", { name: "Back to your API keys" }).click();
  const row = page.getByRole("table", { name: "API keys" }).getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Docs");
  await expect(row).not.toContainText("Never");
  expect(await page.content()).not.toContain(key);
  await row.getByRole("link", { name: `Revoke API key ${name}` }).click();
  await page.getByRole("button", { name: "Revoke API key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The API key was revoked" })).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await use()).toBe(401);
});

test("a refused form keeps what was typed and says what to do", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/profile/api-keys/new");
  await page.getByLabel("Name").fill("Reports");
  await page.getByLabel("Valid until").fill(inDays(400));
  await page.getByRole("radio", { name: /^Read, change/ }).check();
  await page.getByRole("button", { name: "Make the API key" }).click();
  await expect(page.getByRole("link", { name: "Choose at least one area" })).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Reports");
  await expect(page.getByRole("radio", { name: /^Read, change/ })).toBeChecked();
  await page.getByRole("checkbox", { name: "Docs" }).check();
  await page.getByRole("button", { name: "Make the API key" }).click();
  await expect(page.getByRole("link", { name: /^Enter a day after today, up to / })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Docs" })).toBeChecked();
  await expect(page.getByLabel("Valid until")).toHaveValue(inDays(400));
});

test("a key in an address is refused with the advice to revoke it", async ({ page, server, signInAs }) => {
  const who = await newColleague(server.url);
  await signInAs(who.email);
  const key = await makeKey(page, "Spreadsheet");
  const reply = await fetch(`${server.url}/api/documents?api_key=${key}`);
  expect([reply.status, ((await reply.json()) as { message: string }).message]).toEqual([
    401,
    expect.stringContaining("revoke it"),
  ]);
  await page.goto("/profile/api-keys");
  await expect(page.getByText("where others can read it: revoke it")).toBeVisible();
});

test("administrators see and revoke the keys of users", async ({ page, server, signInAs }) => {
  const who = await newColleague(server.url);
  await signInAs(who.email);
  const key = await makeKey(page, "Nightly import", { rights: /^Read, change/ });
  await page.context().clearCookies();
  await signInAs();
  await page.goto(who.page);
  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("link", { name: "Revoke API key Nightly import" }).click();
  await page.getByRole("button", { name: "Revoke API key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "The API key was revoked" })).toBeVisible();
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${server.url}/api/users`, { headers })).status).toBe(401);
});
