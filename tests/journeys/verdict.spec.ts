import type { Page } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { unfold } from "../support/page-parts.ts";
import { alertsOf, issued, phone, verdict } from "../support/visitor.ts";

test.use({ userAgent: phone });

const answers = (page: Page) => page.getByRole("list", { name: "What was checked" }).getByRole("listitem");
const dialog = (page: Page) => page.getByRole("dialog");
const act = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true }).click();

test("a paper with another number is a red verdict, an alert, and a suspicion on the map", async ({
  page,
  server,
  signInAs,
}) => {
  const { code, number, name } = await issued(server.url);
  await page.goto("/v");
  await page.getByLabel("Code").fill(code);
  await page.getByLabel("Document number").fill("NM-WRONG");
  await page.getByRole("button", { name: "Check document" }).click();
  await expect(verdict(page)).toHaveText("This paper does not match");
  await expect(page.locator(".verdict")).toHaveClass(/verdict-bad/);
  const belongs = `The code belongs to Hallam & Reid Ltd’s document ${number}, not to NM-WRONG. Do not rely on the paper.`;
  await expect(page.getByText(belongs)).toBeVisible();
  await expect(answers(page)).toHaveText([
    "Issued by this company? Yes, by Hallam & Reid Ltd.",
    "In force today? Yes.",
    `Is it this paper? No: the code is that of ${number}, not of NM-WRONG.`,
  ]);
  await page.getByLabel("Town or post code").fill("Preston");
  await page.getByRole("button", { name: "Share this place" }).click();
  await expect(page.getByText("sees where this scan was made")).toBeVisible();
  await expect(verdict(page)).toHaveText("This paper does not match");
  const alerts = await alertsOf(page, name, signInAs);
  await expect(alerts).toContainText("Fake scan");
  await alerts.getByRole("rowheader").getByRole("link").click();
  await expect(page.getByText("Checked for a paper with the number “NM-WRONG”")).toBeVisible();
  await page.goto(`/map?number=${number}&kind=suspicions`);
  await expect(page.getByRole("cell", { name: "“Preston” As typed" })).toBeVisible();
  await expect(page.getByText("0 scans on the map, 1 without a position.")).toBeVisible();
});

test("the number of the same paper counts however it is typed, and hidden characters are ignored", async ({
  page,
  server,
}) => {
  const { code, number } = await issued(server.url);
  const input = number.toLowerCase().replaceAll("-", " ");
  for (const text of [input, `\u202E${input}\u0007`]) {
    await page.goto(`/v/${code}?number=${encodeURIComponent(text)}`);
    await expect(verdict(page)).toHaveText("This document is in force");
    await expect(answers(page).last()).toHaveText(
      "Is it this paper? Its number is the same. Compare the type and date as well.",
    );
  }
});

test("archiving leaves the verdict as it is, and the dialog says so", async ({ page, server, signInAs, browser }) => {
  const { client, code, path, name } = await issued(server.url, { access_type: "Open to all" });
  await signInAs();
  await page.goto(path);
  await act(page, "Archive");
  await expect(dialog(page)).toContainText("A scan of its code says the same as before:");
  await expect(dialog(page)).toContainText("This document is in force");
  await dialog(page).getByRole("button", { name: "Archive document" }).click();
  await expect(page.getByText("Archived", { exact: true })).toBeVisible();
  await expect(page.getByText("Active", { exact: true }).first()).toBeVisible();

  const stranger = await browser.newContext({ baseURL: server.url, userAgent: phone });
  const scan = await stranger.newPage();
  await scan.goto(`/v/${code}`);
  await expect(verdict(scan)).toHaveText("This document is in force");
  await expect(scan.getByText("Show the pages")).toBeVisible();
  await page.goto(`/alerts?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();

  await client.post(path, { intent: "restore" });
  await client.post(path, { intent: "exit", reason: "1" });
  await client.post(path, { intent: "archive" });
  await scan.goto(`/v/${code}`);
  await expect(verdict(scan)).toHaveText("No longer in force");
  await expect(answers(scan).nth(1)).toHaveText(/^In force today\? No, withdrawn on \d\d-\d\d-\d{4}\.$/);
  await stranger.close();
});

test("each dialog shows what a scan will say afterwards", async ({ page, server, signInAs }) => {
  const dates = { expire_type: "date", expire_date: "01-02-2027", date: "01-02-2026" };
  const { path } = await issued(server.url, { ...dates, has_prolongation: "1", prolongation: "1" });
  await signInAs();
  await page.goto(path);
  for (const [button, confirm, says] of [
    ["Prolong", "Prolong document", "This document is in force"],
    ["Exited", "Mark as exited", "No longer in force"],
    ["Archive", "Archive document", "No longer in force"],
    ["Restore", "Restore document", "No longer in force"],
    ["Reactivate", "Reactivate document", "This document is in force"],
  ] as const) {
    if (button === "Prolong") await unfold(page);
    await act(page, button);
    await expect(dialog(page).locator(".verdict-card"), button).toContainText(says);
    if (button === "Prolong") await expect(dialog(page)).toContainText("by its first period, to 01-02-2028.");
    if (button === "Exited") await dialog(page).getByLabel("Reason").selectOption("Another reason");
    await dialog(page).getByRole("button", { name: confirm }).click();
    await expect(dialog(page)).toHaveCount(0);
  }
  await expect(page.getByRole("definition").filter({ hasText: "01-02-2028" })).toBeVisible();
});

test("a document leads to its scans, its alerts and its place on the map", async ({
  page,
  server,
  signInAs,
  browser,
}) => {
  const { client, code, path, name, number } = await issued(server.url);
  await signInAs();
  await page.goto(path);
  await expect(page.getByText("Not scanned yet")).toBeVisible();
  const stranger = await browser.newContext({ baseURL: server.url, userAgent: phone });
  const scan = await stranger.newPage();
  await scan.goto(`/v/${code}`);
  await client.post(path, { intent: "exit", reason: "1" });
  await scan.goto(`/v/${code}`);
  await scan.getByLabel("Town or post code").fill("Preston");
  await scan.getByRole("button", { name: "Share this place" }).click();
  await expect(scan.getByText("sees where this scan was made")).toBeVisible();
  await stranger.close();

  await alertsOf(page, name, signInAs);
  await page.goto(`/documents/list?name=${encodeURIComponent(name)}`);
  await page.getByRole("link", { name: `View ${name}` }).click();
  await expect(page.getByRole("link", { name: /^Last scanned \d\d-\d\d-\d{4} \d\d:\d\d$/ })).toBeVisible();
  const scans = page.getByRole("table", { name: "Newest scans" });
  await expect(scans.getByRole("row").nth(1)).toContainText(/“Preston”.*Exited.*A visitor/);
  await expect(scans.getByRole("row").nth(2)).toContainText(/Not shared.*In force/);
  await expect(page.getByRole("table", { name: "Open alerts" })).toContainText("Exited document scanned");
  await page.getByRole("link", { name: "On the map" }).click();
  await expect(page).toHaveURL(`/map?number=${number}`);
  await expect(page.getByText("0 scans on the map, 1 without a position.")).toBeVisible();
  await page.goBack();
  await page.getByRole("link", { name: "All alerts" }).click();
  await expect(page.getByRole("rowheader")).toHaveText([name]);
  await page.getByRole("rowheader").getByRole("link").click();
  await expect(page.getByText("“Preston”").first()).toBeVisible();
  await expect(page.getByText("No map: the visitor typed a place and shared no position.")).toBeVisible();
});
