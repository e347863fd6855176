import type { Page } from "@playwright/test";
import { addPages, codeOf, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { oneIn } from "../support/shares.ts";
import { type SignedCode, signedCode } from "../support/signed-codes.ts";
import { at, inspect } from "../support/page-states.ts";

/** Opens the page behind the code of a new document, which nobody signed in looks at. */
const code =
  (title: string, { act, query = "" }: { act?: string; query?: string } = {}) =>
  async (page: Page) => {
    await page.goto("/v");
    const client = await signInClient(new URL(page.url()).origin);
    const draft = await startDraft(client, "Document to look up");
    await addPages(client, draft, [asUpload(await picture("page.png"))]);
    const path = await create(client, draft);
    if (act) await client.post(path, { intent: act, reason: "1" });
    await page.goto(`/v/${await codeOf(client, path)}${query}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  };
/** Opens a signed code of a new document. */
const signed =
  (title: string, address: (code: SignedCode) => string | Promise<string>) =>
  async (page: Page, server: TestServer) => {
    const code = await signedCode(server);
    await page.goto(`/v/${code.code}/${await address(code)}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  };
const inForce = code("This document is in force");

const states: { name: string; open(page: Page, server: TestServer): Promise<void> }[] = [
  { name: "login", open: at("/login") },
  {
    name: "login, refused",
    async open(page) {
      await page.goto("/login");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "forgot", open: at("/forgot") },
  {
    name: "forgot, refused",
    async open(page) {
      await page.goto("/forgot");
      await page.getByRole("button", { name: "Send link" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  { name: "forgot, sent", open: at("/forgot?sent") },
  { name: "signup, dead link", open: at("/signup?token=dead") },
  { name: "confirm email, dead link", open: at("/confirm-email?token=dead") },
  { name: "sign-in link, dead", open: at("/sign-in-link?token=dead") },
  { name: "company's sign-in address, unknown", open: at("/login/at/unknown") },
  { name: "single sign-on, not signed in", open: at("/login/sso/return?code=guessed") },
  { name: "code, to be typed", open: at("/v") },
  {
    name: "code, a report refused",
    async open(page) {
      await inForce(page);
      await page.getByText("Report a problem").click();
      await page.getByRole("button", { name: "Send report" }).click();
      await expect(page.getByText("Enter the problem")).toBeVisible();
    },
  },
  { name: "code, mistyped", open: at("/v/12345") },
  { name: "code, not issued", open: at("/v/00000000000000000") },
  { name: "code, in force", open: inForce },
  { name: "code, no longer in force", open: code("No longer in force", { act: "exit" }) },
  { name: "code, of another paper", open: code("This paper does not match", { query: "?number=NM-WRONG" }) },
  { name: "signed code, confirmed", open: signed("This document is in force", ({ digits }) => digits) },
  { name: "signed code, altered", open: signed("This code was altered", ({ altered }) => altered) },
  {
    name: "signed code, contradicting",
    open: signed("Register and paper contradict each other", ({ digitsOf }) => digitsOf({ pages: 12 })),
  },
  {
    name: "code, a file that is no PDF",
    async open(page) {
      await inForce(page);
      await page.goto(`${page.url()}/file`);
      await page.getByLabel("PDF file").setInputFiles({
        name: "letter.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("Dear Sir or Madam"),
      });
      await page.getByRole("button", { name: "Compare file" }).click();
      await expect(page.getByText("This file is not a PDF.")).toBeVisible();
    },
  },
  {
    name: "code, a genuine page file",
    async open(page) {
      await inForce(page);
      await page.goto(`${page.url()}/file`);
      await page.getByLabel("PDF file").setInputFiles(await picture("page.png"));
      await page.getByRole("button", { name: "Compare file" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("A genuine page file");
    },
  },
  { name: "about seals", open: at("/seals") },
  { name: "congratulations", open: at("/congratulations") },
  { name: "404", open: at("/no/such/page") },
];

/** The pages with inline scripts: to ask for a passkey and show a password, or to offer the position and keep what was typed. */
const withScript = /^login\b|^code, (a report refused|in force|no longer in force|of another paper)|^signed code/;

for (const { name, open } of oneIn(4, states)) {
  test(`${name} has no violations, and ships no script file`, async ({ page, server }) => {
    await open(page, server);
    await expect(page.locator("script[src]")).toHaveCount(0);
    await expect(page.locator("script")).toHaveCount(/^login\b/.test(name) ? 2 : withScript.test(name) ? 1 : 0);
    await inspect(page, name);
  });
}

test("the offline check, which needs scripts, has no violations", async ({ page }) => {
  await page.goto("/check");
  await expect(page.getByRole("status")).toContainText("Saved, fetched on");
  await inspect(page, "offline check");
});

test.describe("a new company", () => {
  let server: TestServer;
  test.beforeAll(async () => (server = await startServer()));
  test.afterAll(() => server.stop());

  test("has no violations, from its first page on", async ({ page }) => {
    const link = /http[^"]+\/signup\?token=[\w-]+/.exec(server.output())![0];
    await page.goto(link);
    await inspect(page, "signup, first start");
    await page.getByRole("button", { name: "Set up Sealdesk" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await inspect(page, "signup, refused");
    await page.getByLabel("Company’s name").fill("New Ltd");
    await page.getByLabel("Your name").fill("Nina New");
    await page.getByLabel("Your email").fill("nina@new.example");
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await page.getByLabel("Confirm password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set up Sealdesk" }).click();
    await page.getByRole("link", { name: "Login now" }).click();
    await page.getByLabel("Email").fill("nina@new.example");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Dashboard");
    await inspect(page, "dashboard, empty");
    await page.goto(`${server.url}/documents/list`);
    await inspect(page, "documents, empty");
  });
});
