import type { Page } from "@playwright/test";
import { main } from "../support/page-parts.ts";
import { expect, test } from "../support/journey.ts";

test.use({ viewport: { width: 1280, height: 800 } });

const navigation = (page: Page) => page.getByRole("navigation", { name: "Main" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const header = (page: Page) => page.getByRole("banner");

/** The pages that Settings leads to, by name. */
async function settingsPages(page: Page) {
  await page.goto("/settings");
  const links = await main(page).getByRole("listitem").getByRole("link").all();
  return Promise.all(
    links.map(async (link) => ({ to: (await link.getAttribute("href"))!, name: await link.innerText() })),
  );
}

test("the navigation is the specification's", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/dashboard");
  await expect(
    navigation(page)
      .getByRole("link")
      .filter({ hasNotText: /Sealdesk|open alert/ }),
  ).toHaveText([
    "Home",
    "Company profile",
    "List of branches",
    "Add new branch",
    "Users list",
    "Security roles",
    "New user",
    "Documents list",
    "Archive",
    "Add new doc",
    "Alerts",
    "Map",
    "Help",
    "Logout",
  ]);
  await expect(navigation(page).getByRole("paragraph").filter({ hasText: /\w/ })).toHaveText([
    "Branches",
    "Users",
    "Documents",
  ]);
});

test("all else is in Settings, each page leads back there, and Find finds it by name", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/dashboard");
  await header(page).getByRole("link", { name: "Settings" }).click();
  await expect(heading(page)).toHaveText("Settings");
  const pages = await settingsPages(page);
  expect(pages.map(({ name }) => name)).toEqual([
    "My profile",
    "Second factor",
    "Passkeys",
    "API keys",
    "Templates",
    "Number ranges",
    "Recipients",
    "Withdrawal reasons",
    "Release rules",
    "Seal keys",
    "Wallets",
    "Alert rules",
    "Language and time zone",
    "Single sign-on",
    "Own host for codes",
    "User provisioning",
    "Tariffs",
    "Audit trail",
    "Import branches",
    "Import users",
    "Webhooks",
  ]);
  for (const { to, name } of [
    ...pages,
    { to: "/documents/calendar", name: "Calendar" },
    { to: "/documents/bulk", name: "Issue many" },
  ]) {
    await page.goto(`/search?${new URLSearchParams({ q: name })}`);
    const found = page.getByRole("region", { name: "Settings and pages" }).getByRole("link", { name, exact: true });
    await expect(found, name).toHaveAttribute("href", to);
    expect((await page.goto(to))?.status(), to).toBe(200);
  }
  await page.goto("/branches/profile?tab=seal-keys");
  await expect(page).toHaveURL("/settings/seal-keys");
  for (const to of [
    "/settings/seal-keys",
    "/webhooks",
    "/audit",
    "/alerts/rules",
    "/documents/templates",
    "/users/import",
  ]) {
    await page.goto(to);
    await expect(header(page).getByRole("link", { name: "Settings" })).toHaveAttribute("aria-current", "page");
    await expect(navigation(page).locator("[aria-current=page]")).toHaveCount(0);
    await main(page).getByRole("link", { name: "Back to settings" }).click();
    await expect(heading(page)).toHaveText("Settings");
  }
});

test("Settings and Find have only what the user may open", async ({ page, signInAs }) => {
  await signInAs("tom@hallam.example");
  const pages = await settingsPages(page);
  expect(pages.map(({ name }) => name)).toEqual([
    "My profile",
    "Second factor",
    "Passkeys",
    "API keys",
    "Number ranges",
    "Recipients",
    "Withdrawal reasons",
    "Seal keys",
    "Tariffs",
  ]);
  for (const { to } of pages) expect((await page.goto(to))?.status(), to).toBe(200);
  await page.goto("/search?q=webhooks");
  await expect(page.getByRole("region", { name: "Settings and pages" })).toHaveCount(0);
});

test("on a telephone the own page leads to Settings", async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs();
  await page.goto("/dashboard");
  await expect(header(page).getByRole("link", { name: "Settings" })).toBeHidden();
  await header(page).getByRole("link", { name: "Helen Marsh" }).click();
  await main(page).getByRole("link", { name: "Settings" }).click();
  await expect(heading(page)).toHaveText("Settings");
});

test("the dashboard begins with the three panels, side by side in the first screen", async ({ page, signInAs }) => {
  await signInAs();
  await page.goto("/dashboard");
  await expect(main(page).getByRole("heading", { level: 2 }).first()).toHaveText("Branches");
  const panels = ["Branches", "Documents", "Users"].map((name) => page.getByRole("region", { name, exact: true }));
  const boxes = await Promise.all(panels.map(async (panel) => (await panel.boundingBox())!));
  expect(new Set(boxes.map(({ y }) => y)).size, "side by side").toBe(1);
  for (const { y, height } of boxes) expect(y + height).toBeLessThanOrEqual(800);
  await expect(main(page).getByRole("region")).toHaveText([/^Branches/, /^Documents/, /^Users/, /^Last 14 days/]);
  await main(page)
    .getByRole("link", { name: /^\d+ open in all$/ })
    .click();
  await expect(page.getByLabel("Status")).toHaveValue("open");
});
