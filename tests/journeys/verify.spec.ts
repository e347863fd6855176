import { gzipSync } from "node:zlib";
import type { Response } from "@playwright/test";
import { expect, test } from "../support/journey.ts";
import { alertsOf, issued, phone, verdict } from "../support/visitor.ts";

test.use({ userAgent: phone });

const manchester = { latitude: 53.4808, longitude: -2.2426, accuracy: 20 };
const london = { latitude: 51.5072, longitude: -0.1276, accuracy: 20 };

test("a visitor sees that a document is in force, and compares it with the paper", async ({ page, server }) => {
  const { code } = await issued(server.url);
  const replies: Response[] = [];
  page.on("response", (reply) => replies.push(reply));
  const answer = await page.goto(`/v/${code}`);
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(page.getByText("Hallam & Reid Ltd issued it and stands by it today.")).toBeVisible();
  for (const [term, value] of [
    ["Type", "Contract, Lease"],
    ["Issued by", "Hallam & Reid Ltd"],
    ["Pages", "1$"],
  ]) {
    await expect(page.getByRole("term").filter({ hasText: term! })).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: new RegExp(`^${value}`) })).toBeVisible();
  }
  await expect(page.getByRole("list", { name: "What was checked" }).getByRole("listitem")).toHaveText([
    "Issued by this company? Yes, by Hallam & Reid Ltd.",
    "In force today? Yes.",
    "Is it this paper? Compare the number, type and date below with the paper.",
  ]);
  await expect(page.getByText("This confirms the record, not the paper.")).toBeVisible();
  await expect(page.getByText("@hallam.example")).toHaveCount(0);
  // Its one script, which offers the position, is inline and requests nothing.
  await expect(page.locator("script[src]")).toHaveCount(0);
  await expect(page.locator("script")).toHaveCount(1);
  const bodies = await Promise.all(replies.map((reply) => reply.body()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  console.log(`The public page: ${replies.length} requests, ${(bytes / 1000).toFixed(1)} kB gz`);
  expect(replies.length).toBeLessThanOrEqual(3);
  expect(bytes).toBeLessThanOrEqual(14_000);
  expect(answer!.headers()["x-robots-tag"]).toBe("noindex");
  expect(answer!.headers()["cache-control"]).toContain("no-store");
});

test("a code can be typed from paper; a mistyped and an unissued one differ", async ({ page, server }) => {
  const { code } = await issued(server.url);
  await page.goto("/v");
  await page.getByRole("button", { name: "Check document" }).click();
  await expect(page.getByText("Enter the code")).toBeVisible();
  await page.getByLabel("Code").fill(
    code
      .match(/.{1,4}/g)!
      .join("-")
      .toLowerCase(),
  );
  await page.getByRole("button", { name: "Check document" }).click();
  await expect(verdict(page)).toHaveText("This document is in force");
  expect((await page.goto(`/v/${code.slice(1)}`))!.status()).toBe(422);
  await expect(verdict(page)).toHaveText("This code is mistyped");
  expect((await page.goto(`/v/${"0".repeat(101)}`))!.status()).toBe(422);
  await expect(verdict(page)).toHaveText("This code is mistyped");
  expect((await page.goto("/v/00000000000000000"))!.status()).toBe(404);
  await expect(verdict(page)).toHaveText("Not issued by us");
  await page.getByRole("link", { name: "Type a code" }).click();
  // With what was typed, to be corrected.
  await expect(page).toHaveURL("/v?typed=00000000000000000");
  await expect(page.getByLabel("Code")).toHaveValue("00000000000000000");
  await page.getByLabel("Code").fill(`${server.url}/v/${code}`);
  await page.getByRole("button", { name: "Check document" }).click();
  await expect(verdict(page), "the address that a scanner shows").toHaveText("This document is in force");
});

test("an unissued code with a real document number raises an alert", async ({ page, server, signInAs }) => {
  const { name, number } = await issued(server.url);
  await page.goto("/v");
  await page.getByLabel("Code").fill("0000-0000-0000-0000-0");
  await page.getByLabel("Document number").fill(number);
  await page.getByRole("button", { name: "Check document" }).click();
  await expect(verdict(page)).toHaveText("Not issued by us");
  await expect(await alertsOf(page, name, signInAs)).toContainText("Fake scan");
});

test("a withdrawn document says since when, and its scan raises an alert", async ({ page, server, signInAs }) => {
  const { client, code, path, name } = await issued(server.url);
  await client.post(path, { intent: "exit", reason: "1" });
  await page.goto(`/v/${code}`);
  await expect(verdict(page)).toHaveText("No longer in force");
  await expect(page.getByText(/issued this document, but withdrew it on \d\d-\d\d-\d{4}/)).toBeVisible();
  await expect(await alertsOf(page, name, signInAs)).toContainText("Exited document scanned");
});

test("robots, link previews and staff raise no alert", async ({ page, server, signInAs, context }) => {
  const { client, code, path, name } = await issued(server.url);
  await client.post(path, { intent: "exit", reason: "1" });
  const robots: Record<string, string>[] = [
    { "user-agent": "WhatsApp/2.24.1 A" },
    { "user-agent": phone, "sec-purpose": "prefetch" },
  ];
  for (const headers of robots) {
    expect((await context.request.get(`/v/${code}`, { headers })).status()).toBe(200);
  }
  expect((await context.request.head(`/v/${code}`)).status()).toBe(200);
  await signInAs();
  await page.goto(`/v/${code}`);
  await expect(verdict(page)).toHaveText("No longer in force");
  await page.goto(`/alerts?name=${encodeURIComponent(name)}`);
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("scans in two cities at once raise an alert with the reason", async ({
  browser,
  page,
  server,
  signInAs,
  hasScripts,
}) => {
  test.skip(!hasScripts, "a position needs scripts");
  const { code, name } = await issued(server.url);
  for (const geolocation of [manchester, london]) {
    const context = await browser.newContext({
      baseURL: server.url,
      userAgent: phone,
      geolocation,
      permissions: ["geolocation"],
    });
    const other = await context.newPage();
    await other.goto(`/v/${code}`);
    await other.getByRole("button", { name: "Use my position" }).click();
    await expect(other.getByText("sees where this scan was made")).toBeVisible();
    await context.close();
  }
  const table = await alertsOf(page, name, signInAs);
  await table.getByRole("rowheader").getByRole("link").click();
  await expect(page.getByText("at places 262 km apart: nobody travels that fast")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "51.5072" })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "53.4808, -2.2426 on" })).toBeVisible();
});

test("a visitor without a position can type a town, once", async ({ page, server, hasScripts }) => {
  const { code } = await issued(server.url);
  await page.goto(`/v/${code}`);
  if (hasScripts) {
    await page.getByRole("button", { name: "Use my position" }).click();
    await expect(page.getByRole("alert")).toContainText("type a town or a post code");
  } else {
    await expect(page.getByRole("button", { name: "Use my position" })).toBeHidden();
  }
  await page.getByRole("button", { name: "Share this place" }).click();
  await expect(page.getByText("Enter a town or a post code")).toBeVisible();
  await page.getByLabel("Town or post code").fill("Preston");
  await page.getByRole("button", { name: "Share this place" }).click();
  await expect(page.getByText("Thank you. Hallam & Reid Ltd sees where this scan was made.")).toBeVisible();
  await expect(page.getByLabel("Town or post code")).toHaveCount(0);
});

test("a report raises an alert in the visitor's words, with or without a contact", async ({
  page,
  server,
  signInAs,
}) => {
  const { code, name } = await issued(server.url);
  await page.goto(`/v/${code}`);
  await page.getByText("Report a problem").click();
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Enter the problem")).toBeVisible();
  await expect(page.getByLabel("What is wrong")).toBeFocused();
  await page.getByLabel("What is wrong").fill("The rent on the paper is another");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Thank you. Hallam & Reid Ltd has been notified.")).toBeVisible();
  await expect(page).toHaveURL(/#answer$/);
  await expect(page.locator("#answer")).toBeInViewport();
  const table = await alertsOf(page, name, signInAs);
  await expect(table).toContainText("Complaint");
  await table.getByRole("rowheader").getByRole("link").click();
  await expect(page.getByText("“The rent on the paper is another”")).toBeVisible();
});

test("a scan key works once and only for its code", async ({ page, server, context }) => {
  const [one, two] = [await issued(server.url), await issued(server.url)];
  await page.goto(`/v/${one.code}`);
  const scan = await page.locator("input[name=scan]").first().inputValue();
  const tell = async (code: string, named: string) => {
    const form = { scan: named, intent: "complaint", text: "Again" };
    return (await context.request.post(`/v/${code}`, { form })).text();
  };
  expect(await tell(two.code, scan)).toContain("scan the code again");
  expect(await tell(one.code, "made-up")).toContain("scan the code again");
  expect(await tell(one.code, scan)).toContain("has been notified");
  expect(await tell(one.code, scan)).toContain("already");
});

test("beyond the limit of scans, a problem can still be reported and no place is requested", async ({
  page,
  server,
  signInAs,
}) => {
  const { code, name } = await issued(server.url);
  for (let n = 0; n < 20; n++) await fetch(`${server.url}/v/${code}`, { headers: { "user-agent": phone } });
  await page.goto(`/v/${code}`);
  await expect(verdict(page)).toHaveText("This document is in force");
  await expect(page.getByLabel("Town or post code")).toHaveCount(0);
  await expect(page.getByText("can see that this code was scanned")).toHaveCount(0);
  await page.getByText("Report a problem").click();
  await page.getByLabel("What is wrong").fill("It was copied");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Thank you. Hallam & Reid Ltd has been notified.")).toBeVisible();
  await expect(await alertsOf(page, name, signInAs)).toContainText("Complaint");
});

test("a report that was refused stays while the place is shared", async ({ page, server }) => {
  const { code } = await issued(server.url);
  await page.goto(`/v/${code}`);
  await page.getByText("Report a problem").click();
  await page.getByLabel("Phone or email").fill("ada@example.com");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByLabel("What is wrong")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Town or post code").fill("Preston");
  await page.getByRole("button", { name: "Share this place" }).click();
  await expect(page.getByText("sees where this scan was made")).toBeVisible();
  await expect(page.getByLabel("Phone or email")).toHaveValue("ada@example.com");
});

test("a typed place is marked as such on the map", async ({ page, server, signInAs }) => {
  const { code, number } = await issued(server.url);
  await page.goto(`/v/${code}`);
  await page.getByLabel("Town or post code").fill("Preston");
  await page.getByRole("button", { name: "Share this place" }).click();
  await signInAs();
  await page.goto(`/map?number=${number}`);
  await expect(page.getByRole("cell", { name: "“Preston” As typed" })).toBeVisible();
});
