import type { Page } from "@playwright/test";
import { readByZxing } from "../fixtures/qr-decoders.ts";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { asUpload, picture } from "../support/page-files.ts";
import type { TestServer } from "../support/server.ts";
import { inDatabase } from "../support/stored.ts";

/** The page that checks signed codes without a network. */

/** The picture of a new document's signed code, and its address. */
async function issueCode(server: TestServer) {
  const client = await signInClient(server.url);
  const draft = await startDraft(client, uniqueName("Bond"));
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  const path = await create(client, draft);
  // Its code is signed once it is sealed.
  expect((await client.get(`/files${path}/sealed.pdf`)).status).toBe(200);
  const code = Buffer.from(await (await client.get(`/files${path}/qrcode.png`)).arrayBuffer());
  const [address] = (await readByZxing(code)) as [string];
  return { address, code: { name: "code.png", mimeType: "image/png", buffer: code } };
}

/** Whether the published keys have the company's name. */
const publishName = (server: TestServer, isNamed: boolean) =>
  inDatabase(server, (database) =>
    database.prepare("update companies set name_beside_keys = ? where id = 1").run(isNamed ? 1 : 0),
  );

// The router is not on this page.
test.use({ waitsForScripts: false });
test.beforeEach(({ server }) => publishName(server, true));

const answer = (page: Page) => page.getByRole("region", { name: "Answer" });

async function open(page: Page) {
  await page.goto("/check");
  await expect(page.getByRole("status")).toContainText(/^Saved, fetched on .*: \d+ keys?, \d+ status lists?\.$/);
}

async function checkAddress(page: Page, address: string) {
  await page.getByLabel("Address in the code").fill(address);
  await page.getByRole("button", { name: "Check address" }).click();
}

test("a picture of a code is checked in the browser, and again when the network is gone", async ({
  page,
  context,
  server,
}) => {
  const { code } = await issueCode(server);
  await open(page);
  await page.getByLabel("Picture of the code").setInputFiles(code);
  await expect(answer(page).getByRole("heading")).toHaveText("Signed, and in force");
  await expect(answer(page)).toContainText(/In force today\? Yes, by the list of/);
  await expect(answer(page)).toContainText("Valid until");
  // The worker keeps what the page was loaded from.
  const isKept = () =>
    page.evaluate(async () => {
      const cache = await caches.open("offline-check-1");
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    });
  for (const path of ["/check", "/check-files/app.js", "/check-files/zxing_reader.wasm", "/.well-known/jwks.json"]) {
    await expect.poll(isKept, { message: path }).toContain(path);
  }
  await context.setOffline(true);
  await open(page);
  await page.getByLabel("Picture of the code").setInputFiles(code);
  await expect(answer(page).getByRole("heading")).toHaveText("Signed, and in force");
});

test("an altered, cut, foreign or plain code is told from a signed one", async ({ page, server }) => {
  const { address } = await issueCode(server);
  await open(page);
  for (const [text, title] of [
    [address, "Signed, and in force"],
    [address.slice(0, -1) + ((Number(address.at(-1)) + 1) % 10), "This code was altered"],
    [address.replace("localhost", "evil.example"), "This code was altered"],
    [address.slice(0, -7), "The code is incomplete"],
    [address.replace(/\/\d+$/, ""), "This code is not signed"],
    [`${address}${"1".repeat(10_000)}`, "Not a document’s code"],
    ["javascript:alert(1)", "Not a document’s code"],
  ] as const) {
    await checkAddress(page, text);
    await expect(answer(page).getByRole("heading"), text.slice(0, 300)).toHaveText(title);
  }
  await expect(answer(page).getByRole("link")).toHaveCount(0);
});

test("a company whose name is not published is not called this company", async ({ page, server }) => {
  const { address } = await issueCode(server);
  publishName(server, false);
  await open(page);
  await checkAddress(page, address);
  await expect(answer(page).getByRole("heading")).toHaveText("Signed by a company not known here");
  await expect(answer(page)).toContainText(`Signed by a company of ${new URL(server.url).host}, by the keys of`);
});

test("a picture without a code, a file that is none, and a refused camera are said in words", async ({ page }) => {
  await open(page);
  await page.getByLabel("Picture of the code").setInputFiles(await picture("page.png"));
  await expect(page.getByRole("alert")).toContainText("No code was found in the picture");
  const letter = { name: "letter.png", mimeType: "image/png", buffer: Buffer.from("Dear Sir or Madam") };
  await page.getByLabel("Picture of the code").setInputFiles(letter);
  await expect(page.getByRole("alert")).toContainText("This picture could not be read");
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await expect(page.getByRole("alert")).toContainText("The camera can’t be used");
  await expect(page.getByRole("button", { name: "Scan with the camera" })).toBeVisible();
});
