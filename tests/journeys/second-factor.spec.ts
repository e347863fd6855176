import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { readByZxing } from "../fixtures/qr-decoders.ts";
import { signInClient } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { codeOf, colleague, givePassword, setUp } from "../support/second-factor.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const notice = (page: Page, hasText: string) => page.getByRole("status").filter({ hasText });
const signOut = (page: Page) => page.request.post("/logout", { maxRedirects: 0 });
const code = (page: Page) => page.getByLabel("One-time code");
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in" });

test("a user sets up an authenticator app, and signs in with its one-time codes", async ({
  page,
  server,
  signInAs,
}) => {
  const who = await colleague(server.url);
  await signInAs(who.email);
  await page.goto("/profile");
  await expect(page.getByRole("region", { name: "Signing in" })).toContainText("your password alone");
  await page.getByRole("link", { name: "Set up second factor" }).click();
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  const qr = await page.getByRole("img", { name: "QR code for the authenticator app" }).screenshot();
  const [address] = await readByZxing(qr);
  expect(new URL(address!).searchParams.get("secret")).toBe(secret);
  expect(decodeURIComponent(address!)).toContain(who.email);
  await code(page).fill("000000");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("alert")).toContainText("This is not the one-time code that the app shows now");
  const first = codeOf(secret);
  await code(page).fill(first);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
  await page.getByRole("link", { name: "I have stored them" }).click();
  await expect(page.getByRole("region", { name: "Signing in" })).toContainText("Recovery codes left: 10");

  await signOut(page);
  await page.goto("/documents/list?name=lease");
  await givePassword(page, who);
  await expect(heading(page)).toHaveText("One-time code");
  await expect(page).toHaveURL(/\/login\/second-factor\?next=/);
  await page.goto("/documents/list");
  await expect(heading(page), "the password alone opens nothing").toHaveText("Sign in");
  await givePassword(page, who);
  await code(page).fill(first);
  await signInButton(page).click();
  await expect(page.getByRole("alert"), "a code works once").toContainText("was used before");
  await code(page).fill(codeOf(secret, 1));
  await signInButton(page).click();
  await expect(page).toHaveURL("/documents/list");
  await expect(notice(page, `Signed in as ${who.name}`)).toBeVisible();
});

test("recovery codes sign in once each, and are made anew, downloaded and copied", async ({
  page,
  server,
  signInAs,
  hasScripts,
}) => {
  const who = await colleague(server.url);
  await signInAs(who.email);
  await page.goto("/profile/second-factor");
  const { codes } = await setUp(page);
  const signInWith = async (recovery: string) => {
    await signOut(page);
    await page.goto("/login");
    await givePassword(page, who);
    await page.getByRole("link", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recovery);
    await signInButton(page).click();
  };
  await signInWith(codes[0]!);
  await expect(notice(page, "Recovery codes left: 9")).toBeVisible();
  await signInWith(codes[0]!.toUpperCase());
  await expect(page.getByRole("alert")).toContainText("was used before");
  await signInWith(codes[1]!);
  await expect(notice(page, "Recovery codes left: 8")).toBeVisible();
  await page.goto("/profile/second-factor");
  await expect(page.getByRole("main")).toContainText("You have 8 left");
  await page.getByRole("button", { name: "Make new recovery codes" }).click();
  const recoveryCodes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allInnerTexts();
  expect(recoveryCodes).toHaveLength(10);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("sealdesk-recovery-codes.txt");
  expect(readFileSync(await file.path(), "utf8")).toBe(`${recoveryCodes.join("\n")}\n`);
  const copy = page.getByRole("button", { name: "Copy" });
  await expect(copy).toHaveCount(hasScripts ? 1 : 0);
  if (hasScripts) {
    await copy.click();
    await expect(notice(page, "The recovery codes were copied")).toBeVisible();
  }
  await signInWith(codes[2]!);
  await expect(page.getByRole("alert")).toContainText("not right");
  await signInWith(recoveryCodes[0]!);
  await expect(notice(page, "Recovery codes left: 9")).toBeVisible();
});

test("a user removes the second factor, after a question", async ({ page, server, signInAs }) => {
  const who = await colleague(server.url);
  await signInAs(who.email);
  await page.goto("/profile/second-factor");
  await setUp(page);
  await page.goto("/profile/second-factor");
  await page.getByRole("link", { name: "Remove second factor" }).click();
  await expect(heading(page)).toHaveText("Remove your second factor?");
  await page.getByRole("button", { name: "Remove second factor" }).click();
  await expect(notice(page, "Your second factor was removed")).toBeVisible();
  await signOut(page);
  await page.goto("/login");
  await givePassword(page, who);
  await expect(page).toHaveURL("/dashboard");
});

test("members of an access group that requires one set it up before anything else", async ({
  page,
  server,
  signInAs,
}) => {
  const name = uniqueName("Locked");
  await signInAs();
  await page.goto("/users/group");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Docs: Read").check();
  await page.getByLabel("Scope for Docs").selectOption("Company");
  await page.getByLabel("Roles: Read").check();
  await page.getByLabel("Scope for Roles").selectOption("Company");
  await page.getByLabel("Require a second factor").check();
  await page.getByRole("button", { name: "Add access group" }).click();
  await expect(notice(page, "was added")).toBeVisible();
  const who = await colleague(server.url, name);
  await signOut(page);
  await page.goto("/documents/list");
  await givePassword(page, who);
  await expect(heading(page)).toHaveText("Set up a second factor");
  await expect(page.getByRole("main")).toContainText("Your access group requires a second factor");
  for (const path of ["/dashboard", "/profile", "/help"]) {
    await page.goto(path);
    await expect(heading(page), path).toHaveText("Set up a second factor");
  }
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/login");
  await page.goto("/documents/list");
  await givePassword(page, who);
  await setUp(page);
  await page.getByRole("link", { name: "I have stored them" }).click();
  await expect(page).toHaveURL("/documents/list");
  await page.goto("/profile/second-factor");
  await expect(page.getByRole("main")).toContainText("so it can’t be removed");
  await page.goto("/users/roles");
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("main")).toContainText("Second factorRequired");
});

test("a colleague who may change users removes the factor of one who lost it", async ({ page, server, signInAs }) => {
  const who = await colleague(server.url);
  const other = await signInClient(server.url, who);
  await signInAs(who.email);
  await page.goto("/profile/second-factor");
  await setUp(page);
  expect((await other.get("/dashboard")).headers.get("location"), "other sessions end").toMatch(/^\/login/);
  await signOut(page);
  await signInAs();
  await page.goto(who.page);
  await page.getByRole("link", { name: "Remove second factor" }).click();
  await expect(page.getByRole("dialog")).toContainText(`make sure that it is ${who.name} who asks`);
  await page.getByRole("dialog").getByRole("button", { name: "Remove second factor" }).click();
  await expect(notice(page, `${who.name}: second factor removed`)).toBeVisible();
  await expect(page.getByRole("link", { name: "Remove second factor" })).toHaveCount(0);
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("main")).toContainText(/second factor cleared/i);
  await signOut(page);
  await page.goto("/login");
  await givePassword(page, who);
  await expect(page).toHaveURL("/dashboard");
});
