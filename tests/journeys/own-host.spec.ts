import { expect } from "../support/journey.ts";
import { host, publishRecord, test } from "../support/own-host.ts";
import { dialog, main, notice } from "../support/page-parts.ts";
import { issued, phone, verdict } from "../support/visitor.ts";

test("an administrator proves a host by DNS, new codes lead there, and it can be removed again", async ({
  page,
  signInAs,
  server,
  dns,
  browser,
}) => {
  await signInAs();
  await page.goto("/settings");
  await main(page).getByRole("link", { name: "Own host for codes" }).click();
  await page.getByLabel("Host", { exact: true }).fill("https://check.northern.localhost/");
  await page.getByRole("button", { name: "Request this host" }).click();
  await expect(page.getByLabel("Host", { exact: true })).toHaveAccessibleDescription(/Enter a host like/);
  await page.getByLabel("Host", { exact: true }).fill(host);
  await page.getByRole("button", { name: "Request this host" }).click();
  await expect(notice(page, host)).toBeVisible();
  await expect(page.getByLabel("Host", { exact: true })).toHaveValue("");
  const own = page.getByRole("region", { name: host });
  await own.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByRole("alert")).toContainText("DNS does not show the record yet");
  await expect(own.getByText("DNS has no such record")).toBeVisible();
  await publishRecord(page, dns);
  await own.getByRole("button", { name: "Check now" }).click();
  await expect(notice(page, `DNS confirms ${host}`)).toBeVisible();
  await expect(own.getByText("New codes lead here")).toBeVisible();

  const { path, code } = await issued(server.url);
  await page.goto(path);
  const address = `http://${host}:${server.port}/v/${code}`;
  await expect(page.locator("body")).toContainText(address);
  const stranger = await browser.newPage({ userAgent: phone });
  await stranger.goto(address);
  await expect(verdict(stranger)).toHaveText("This document is in force");
  await expect(stranger.getByText(`You are on ${host}, which DNS confirms`)).toBeVisible();

  await page.goto("/settings/hosts");
  await own.getByRole("link", { name: "Remove host" }).click();
  await dialog(page).getByRole("button", { name: "Remove host" }).click();
  await expect(own.getByText("Nothing is shown here any more")).toBeVisible();
  // Each process knows companies' hosts as they were up to a second ago.
  await expect.poll(async () => (await stranger.goto(address))!.status()).toBe(421);
  await stranger.goto(`${server.url}/v/${code}`);
  await expect(verdict(stranger)).toHaveText("This document is in force");
  await stranger.close();
});
