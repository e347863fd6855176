import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { colleague, givePassword } from "../support/second-factor.ts";

/** Passkeys of a device that checks its user, by Chromium's virtual authenticator. */

async function withDevice(context: BrowserContext, page: Page, isUserVerified = true) {
  const devTools = await context.newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    credentials: async () => (await devTools.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    verifies: (isUserVerified: boolean) =>
      devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

const notice = (page: Page, hasText: string) => page.getByRole("status").filter({ hasText });
const signOut = (page: Page) => page.request.post("/logout", { maxRedirects: 0 });

async function addPasskey(page: Page, name: string) {
  await page.goto("/profile");
  await page
    .getByRole("region", { name: "Signing in" })
    .getByRole("link", { name: /passkey/i })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Passkeys");
  await page.getByRole("link", { name: "Add passkey" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add passkey" }).click();
}

test("a user adds a passkey, signs in with it where they wanted to go, and removes it", async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const device = await withDevice(context, page);
  const who = await colleague(server.url);
  await signInAs(who.email);
  await addPasskey(page, "Work laptop");
  await expect(notice(page, "Passkey “Work laptop” was added")).toBeVisible();
  expect(await device.credentials()).toHaveLength(1);

  await signOut(page);
  await page.goto("/documents/list?name=lease");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL("/documents/list?name=lease");
  await expect(notice(page, `Signed in as ${who.name}`)).toBeVisible();

  await page.goto("/profile/passkeys");
  await expect(page.getByRole("listitem").filter({ hasText: "Work laptop" })).toContainText("last used");
  await page.getByRole("button", { name: "Remove passkey: Work laptop" }).click();
  await expect(notice(page, "The passkey was removed")).toBeVisible();
  await signOut(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert").first()).toContainText("This passkey was not accepted");
  await givePassword(page, who);
  await expect(page).toHaveURL("/dashboard");
});

test("a device that does not know its user signs nobody in", async ({ page, context, server, signInAs }) => {
  const device = await withDevice(context, page);
  const who = await colleague(server.url);
  await signInAs(who.email);
  await addPasskey(page, "Phone");
  await expect(notice(page, "was added")).toBeVisible();
  await signOut(page);
  await device.verifies(false);
  await page.goto("/login");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("The passkey was not used")).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test("a passkey confirms that it is the user", async ({ page, context, server, signInAs }) => {
  await withDevice(context, page);
  const who = await colleague(server.url);
  await signInAs(who.email);
  await addPasskey(page, "Phone");
  await expect(notice(page, "was added")).toBeVisible();
  await page.goto("/confirm?next=/profile/second-factor");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL("/profile/second-factor");
});
