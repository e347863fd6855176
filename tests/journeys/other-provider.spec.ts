import { requestLines } from "../support/other-provider.ts";
import { readFileSync } from "node:fs";
import { expect, test } from "../support/other-journey.ts";
import { picture, readQr } from "../support/page-files.ts";

test.beforeEach(({ signInAs }) => signInAs());

test("documents are filtered, sorted and paged by the web app, and requested once", async ({ page, other }) => {
  await page.goto("/documents/list");
  await expect(page.getByText("1 - 5 of 12")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("6 - 10 of 12")).toBeVisible();
  await page.goto("/documents/list?name=CHARTER%201&sort=-date");
  await expect(page.getByText("1 - 4 of 4")).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toContainText("12-09-2026");
  await page.goto("/documents/list?branch=Wharf&date=01-09-2026");
  await expect(page.getByText("1 - 1 of 1")).toBeVisible();
  await page.goto("/documents/list?name=nothing");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Edit/ })).toHaveCount(0);
  // Rows without a status are in the archive as they are in the list.
  await page.goto("/documents/archive");
  await expect(page.getByText("1 - 5 of 12")).toBeVisible();
  expect(requestLines(other).filter((request) => request === "GET /api/documents")).toHaveLength(1);
});

test("seal keys are the provider's own: none are shown or published here", async ({ page }) => {
  await page.goto("/branches/profile");
  await expect(page.getByRole("link", { name: "Seal keys" })).toHaveCount(0);
  for (const path of [
    "/seals",
    "/.well-known/jwks.json",
    "/.well-known/status-lists",
    `/.well-known/revocation-lists/${"0".repeat(40)}`,
    "/.well-known/sealdesk-root.pem",
  ]) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
});

test("a signed code of a provider that checks no signatures is shown as a plain one", async ({ page, other }) => {
  const code = "4C7H29KD3P172XQ08";
  const document = { code, verdict: "in force", company: "Trent Ltd", document_type: "Contract", number: "NM-T1" };
  other.answers.set(`GET /api/verify/${code}`, { body: { ...document, pages: 1, timezone: "Europe/London" } });
  const paper = page.getByRole("list", { name: "What was checked" }).getByRole("listitem").last();
  await page.goto(`/v/${code}/592551968947`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This document is in force");
  await expect(paper).toHaveText("Is it this paper? Compare the number, type and date below with the paper.");
  other.answers.set(`POST /api/verify/${code}/signature`, { status: 503, body: {} });
  await page.reload();
  await expect(paper).toHaveText(
    "Is it this paper? The code’s signature could not be checked now. Try again in a minute.",
  );
});

test("the filtered rows of the whole list are exported", async ({ page, other }) => {
  await page.goto("/documents/list?name=CHARTER%201&sort=-date");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8").split("\r\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual([
    '\uFEFF"Document"',
    '"Charter 12"',
    '"Charter 11"',
    '"Charter 10"',
    '"Charter 1"',
    "",
  ]);
  expect(lines[1]).toBe(
    '"Charter 12","Mill Lane","","ned@trent.example","","12-09-2026","NM-T111","","","Branch staff"',
  );
  expect(requestLines(other).filter((request) => request.startsWith("GET /api/documents"))).toHaveLength(1);
});

test("the web app filters the audit trail of a provider that does not", async ({ page, other }) => {
  const entry = { actor: "Olive Trent", entity: "document", entity_id: 101, entity_name: "Charter 1", changes: [] };
  other.answers.set("GET /api/audit", {
    body: [
      { ...entry, id: 2, at: "2026-09-02T22:59:00Z", action: "changed" },
      { ...entry, id: 1, at: "2026-09-01T23:30:00Z", action: "issued" },
    ],
  });
  const rows = page.getByRole("table").getByRole("row");
  for (const [query, count] of [
    ["", 2],
    // Past midnight in a London summer.
    ["date_from=02-09-2026&date_to=02-09-2026", 2],
    ["date_to=01-09-2026", 0],
    ["action=Issued&entity=charter", 1],
  ] as const) {
    await page.goto(`/audit?${query}`);
    await expect(rows, query).toHaveCount(count && count + 1);
  }
});

test("a document shows the fields of its reply, its QR code, and no unsupported button", async ({ page }) => {
  await page.goto("/documents/101");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Charter 1");
  await expect(page.getByText("NM-T100").first()).toBeVisible();
  for (const name of ["Archive", "Exited", "Edit"]) {
    await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Get QR" }).click();
  expect(await readQr(await page.getByRole("img", { name: "QR code" }).first().screenshot())).toBe(
    "https://trent.example/d/101",
  );
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download PNG" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^\d{10}\.png$/);
  expect(await readQr(readFileSync(await download.path()))).toBe("https://trent.example/d/101");
});

test("a page whose first load failed says for whom it was made once it is there", async ({ page, other }) => {
  other.answers.set("GET /api/users", { status: 502, body: {} });
  await page.goto("/documents/new");
  other.answers.delete("GET /api/users");
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByLabel("Document type").selectOption("Contract");
  await page.getByLabel("Document subtype").selectOption("Lease");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByText("Nothing was saved")).toHaveCount(0);
  await expect(page).toHaveURL(/\/documents\/new\//);
});

test("a QR code from another host than the provider's is not fetched", async ({ page, other }) => {
  other.answers.set("GET /api/documents/101", { body: { id: 101, files: { qrcode: "http://127.0.0.1:1/qr.svg" } } });
  expect((await page.request.get("/files/documents/101/qrcode.png")).status()).toBe(404);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9H0z"/></svg>`;
  other.answers.set("GET /api/documents/101", { body: { id: 101, files: { qrcode: "/codes/101.svg" } } });
  other.answers.set("GET /codes/101.svg", { body: svg, headers: { "content-type": "image/svg+xml" } });
  const answer = await page.request.get("/files/documents/101/qrcode.png");
  expect([...(await answer.body()).subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join("")).toBe("PNG");
});

test("an alert shows the fields of its reply, and no unsupported action", async ({ page, other }) => {
  await page.goto("/alerts/1");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fake scan of Charter 1");
  for (const fact of ["A-77", "Charter 1", "Wharf", "2026-09-14 16:20", "53.4794", "-2.2453"]) {
    await expect(page.getByRole("definition").filter({ hasText: fact })).toBeVisible();
  }
  await expect(page.getByRole("link", { name: /Complete|Reopen/ })).toHaveCount(0);
  expect(requestLines(other).filter((request) => request.includes("/alerts"))).toEqual(["GET /api/alerts/1"]);
  expect((await page.goto("/alerts/2"))!.status()).toBe(404);
  await page.goto("/alerts");
  await expect(page.getByText("Your provider does not offer alerts.")).toBeVisible();
});

for (const [what, body] of [
  ["nothing", ""],
  ["null", null],
  ["an empty object", {}],
  ["a text", "<h1>Seen</h1>"],
  ["a list", [1, 2]],
  ["fields of other types", { id: "x", alert: { en: "Fake" }, date: 7, status: [] }],
] as const) {
  test(`an alert and a document whose reply is ${what} are pages with what is known`, async ({ page, other }) => {
    other.answers.set("GET /api/alerts/4", { body });
    expect((await page.goto("/alerts/4"))?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Alert 4");
    await expect(page.getByRole("link", { name: "Back to the list of alerts" })).toHaveCount(0);
    await expect(page.getByText("Completed")).toHaveCount(0);
    other.answers.set("GET /api/documents/103", { body });
    expect((await page.goto("/documents/103"))?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Charter 3");
    await expect(page.getByText("NM-T102").first()).toBeVisible();
  });
}

test("an image is shown from the provider's host only", async ({ page, other }) => {
  const { buffer } = await picture("olive.png");
  const images = page.getByRole("main").locator("img");
  other.answers.set("GET /api/users/7", { body: { id: 7, name: "Olive Trent", imageUrl: "/pictures/olive.png" } });
  other.answers.set("GET /pictures/olive.png", { body: buffer, headers: { "content-type": "image/png" } });
  await page.goto("/users/view/7");
  await expect(images).toHaveJSProperty("naturalHeight", 800);
  other.answers.set("GET /api/users/7", { body: { id: 7, name: "Olive Trent", imageUrl: "http://127.0.0.1:1/o.png" } });
  await page.reload();
  await expect(images).toHaveJSProperty("naturalHeight", 0);
  await expect(page.getByRole("main")).toContainText("OT");
  expect((await page.request.get("/files/users/7/image")).status()).toBe(404);
});

test("tariffs are listed without a bill, an empty list says so, and a refused change is shown", async ({
  page,
  other,
}) => {
  const plan = { id: 4, name: "Angler", min_users: 1, max_users: 9, price_per_user: 7.5, min_monthly: 20, pages: 50 };
  other.answers.set("GET /api/tariffs", { body: [{ ...plan, extra_page: 0.1 }] });
  await page.goto("/tariffs");
  await expect(page.getByRole("row", { name: /^Angler/ })).toContainText("£7.50");
  await expect(page.getByText("Projected bill")).toHaveCount(0);
  await page.getByRole("link", { name: "Choose Angler" }).click();
  await page.getByRole("button", { name: "Change to Angler" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Your provider does not offer tariff changes.");
  other.answers.set("GET /api/tariffs", { body: [] });
  await page.goto("/tariffs");
  await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
});

test("the web app searches and pages the guide of a provider that does not", async ({ page, other }) => {
  const body = Array.from({ length: 7 }, (_, n) => ({ id: n + 1, question: `Question ${n + 1}`, answer: "Fish" }));
  other.answers.set("GET /api/help", { body });
  await page.goto("/help");
  await expect(page.getByText("1 - 5 of 7")).toBeVisible();
  await page.getByLabel("Search the guide").fill("question 3");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("article")).toHaveText([/^Question 3/]);
  other.answers.set("GET /api/help", { body: [] });
  await page.goto("/help");
  await expect(page.getByRole("heading", { name: "Answer not found in guide" })).toBeVisible();
});
