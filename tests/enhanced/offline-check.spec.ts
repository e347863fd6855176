import type { BrowserContext, Page } from "@playwright/test";
import QRCode from "qrcode";
import sharp from "sharp";
import { alterLastDigit } from "../fixtures/altered-digits.ts";
import { readByZxing } from "../fixtures/qr-decoders.ts";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { expect, test, uniqueName } from "../support/journey.ts";
import { holdBack } from "../support/leaving.ts";
import { asUpload, picture } from "../support/page-files.ts";
import type { TestServer } from "../support/server.ts";
import { signedCode } from "../support/signed-codes.ts";
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
  return { address, code: asPicture(code) };
}

const asPicture = (buffer: Buffer) => ({ name: "code.png", mimeType: "image/png", buffer });

/** Whether the published keys have the company's name. */
const publishName = (server: TestServer, isNamed: boolean) =>
  inDatabase(server, (database) =>
    database.prepare("update companies set name_beside_keys = ? where id = 1").run(isNamed ? 1 : 0),
  );

// The router is not on this page.
test.use({ waitsForScripts: false });
test.beforeEach(({ server }) => publishName(server, true));

const answer = (page: Page) => page.getByRole("region", { name: "Answer" });
const title = (page: Page) => answer(page).getByRole("heading");

async function open(page: Page) {
  await page.goto("/check");
  await expect(page.getByRole("status")).toContainText(/^Saved, fetched on .*: \d+ keys?, \d+ status lists?\.$/);
}

/** Opens the page for the first time, until its worker has saved its files. */
async function openAndSave(page: Page) {
  await open(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  const styles = () =>
    page.evaluate(async () => {
      const saved = await (await caches.open("offline-check-files")).keys();
      return saved.some(({ url }) => url.endsWith(".css"));
    });
  await expect.poll(styles).toBe(true);
}

async function checkAddress(page: Page, address: string) {
  await page.getByLabel("Address in the code").fill(address);
  await page.getByRole("button", { name: "Check address" }).click();
}

/** Lets no request through but as `refuse` answers it, of the worker as well. */
const refuse = (context: BrowserContext, status?: number) =>
  context.route("**/*", (route) => (status ? route.fulfill({ status }) : undefined));

test("a picture of a code is checked by what one visit saved, also when the network is gone", async ({
  page,
  context,
  server,
}) => {
  const { code } = await issueCode(server);
  await openAndSave(page);
  await context.setOffline(true);
  // The first scan.
  await page.getByLabel("Picture of the code").setInputFiles(code);
  await expect(title(page)).toHaveText("Signed, and in force");
  await expect(answer(page)).toContainText(/In force today\? Yes, by the list of/);
  await expect(answer(page)).toContainText("Valid until");
  await open(page);
  await page.getByLabel("Picture of the code").setInputFiles(code);
  await expect(title(page)).toHaveText("Signed, and in force");
});

test("nothing else can be checked until a picture was read", async ({ page, server }) => {
  const { code } = await issueCode(server);
  await open(page);
  const { release, requests } = await holdBack(page, /\.wasm$/);
  await page.getByLabel("Picture of the code").setInputFiles(code);
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  await expect(page.getByRole("status")).toHaveText("Checking …");
  await expect(page.getByLabel("Address in the code")).toBeDisabled();
  release();
  await expect(title(page)).toHaveText("Signed, and in force");
});

for (const [name, status] of [
  ["refuses", 429],
  ["fails", 502],
  ["never answers", undefined],
] as const) {
  test(`saved files and keys are used while the server ${name}`, async ({ page, context, server }) => {
    const { address } = await issueCode(server);
    await openAndSave(page);
    await refuse(context, status);
    await open(page);
    await checkAddress(page, address);
    await expect(title(page)).toHaveText("Signed, and in force");
  });
}

test("before keys are fetched nothing can be checked, and without any the page says so", async ({
  page,
  context,
  server,
}) => {
  const { address } = await issueCode(server);
  const { promise: isOpen, resolve: answerNow } = Promise.withResolvers<void>();
  await context.route("**/jwks.json", async (route) => {
    await isOpen;
    await route.fulfill({ status: 429 });
  });
  await page.goto("/check");
  await expect(page.getByRole("status")).toHaveText("Fetching keys …");
  await expect(page.getByLabel("Address in the code")).toBeDisabled();
  await expect(page.getByLabel("Picture of the code")).toBeDisabled();
  answerNow();
  await expect(page.getByRole("status")).toContainText("open this page once where there is a network");
  await checkAddress(page, address);
  await expect(title(page)).toHaveText("No keys are saved yet");
});

test("keys are fetched anew when asked for, and by a check that finds them old", async ({ page, server }) => {
  for (const renew of [
    () => page.getByRole("button", { name: "Fetch the newest keys and lists" }).click(),
    () => page.clock.setFixedTime(Date.now() + 2 * 3_600_000),
  ]) {
    const { digits, code, revokeKey } = await signedCode(server);
    await open(page);
    await checkAddress(page, `${server.url}/v/${code}/${digits}`);
    await expect(title(page)).toHaveText("Signed, and in force");
    revokeKey();
    await renew();
    await expect(page.getByRole("status")).toContainText(/status lists?\.$/);
    await checkAddress(page, `${server.url}/v/${code}/${digits}`);
    await expect(title(page)).toHaveText("Signed with a revoked key");
  }
});

test("an opening within an hour of the last one asks for no keys or lists", async ({ page }) => {
  await open(page);
  const requestedUrls: string[] = [];
  page.on("request", (request) => request.url().includes("/.well-known/") && requestedUrls.push(request.url()));
  await open(page);
  expect(requestedUrls).toEqual([]);
});

test("a list that is not saved or old is fetched by the check that needs it", async ({ page, server }) => {
  const { address } = await issueCode(server);
  await page.route("**/status-lists/*", (route) => route.fulfill({ status: 429 }));
  await page.goto("/check");
  await expect(page.getByRole("status")).toContainText(/, 0 of \d+ status lists?\. .*a check fetches the one/);
  await page.unrouteAll();
  await checkAddress(page, address);
  await expect(title(page)).toHaveText("Signed, and in force");
  await expect(page.getByRole("status")).toContainText(/: \d+ keys?, \d+ status lists?\.$/);
  await page.clock.setFixedTime(Date.now() + 2 * 3_600_000);
  const again = page.waitForRequest("**/status-lists/*");
  await checkAddress(page, address);
  await again;
});

test("altered, cut, foreign and plain codes are distinguished from signed ones", async ({ page, server }) => {
  const { address } = await issueCode(server);
  const { code, signedByStranger } = await signedCode(server);
  const stranger = `${server.url}/v/${code}/${await signedByStranger()}`;
  await open(page);
  for (const [text, heading] of [
    [address, "Signed, and in force"],
    [alterLastDigit(address), "This code was altered"],
    [address.replace("localhost", "evil.example"), "This code was altered"],
    [stranger, "Signed with an unknown key"],
    [stranger.replace("localhost", "other.example"), "A code of another address"],
    [address.slice(0, -7), "The code is incomplete"],
    [address.replace(/\/\d+$/, ""), "This code is not signed"],
    [`${address}${"1".repeat(10_000)}`, "Not a document’s code"],
    ["javascript:alert(1)", "Not a document’s code"],
  ] as const) {
    await checkAddress(page, text);
    await expect(title(page), text.slice(0, 300)).toHaveText(heading);
  }
  await expect(answer(page).getByRole("link")).toHaveCount(0);
});

test("a company whose name is not published is not called this company", async ({ page, server }) => {
  const { address } = await issueCode(server);
  publishName(server, false);
  await open(page);
  await checkAddress(page, address);
  await expect(title(page)).toHaveText("Signed by a company not known here");
  await expect(answer(page)).toContainText(`Signed by a company of ${new URL(server.url).host}, by the keys of`);
});

test("of several symbols in a picture the document's code is checked", async ({ page, server }) => {
  const { code } = await issueCode(server);
  const other = await QRCode.toBuffer("https://example.com/", { scale: 8 });
  const background = { width: 2000, height: 900, channels: 3 as const, background: "#fff" };
  const [leftEdge, right] = [other, await sharp(code.buffer).resize(800).toBuffer()];
  const both = sharp({ create: background }).composite([
    { input: leftEdge, left: 50, top: 50 },
    { input: right, left: 1000, top: 50 },
  ]);
  await open(page);
  await page.getByLabel("Picture of the code").setInputFiles(asPicture(await both.png().toBuffer()));
  await expect(title(page)).toHaveText("Signed, and in force");
});

test("a picture without a code, a file that is none, and a refused camera are said in words", async ({ page }) => {
  await open(page);
  await checkAddress(page, "hello");
  await expect(title(page)).toBeVisible();
  await page.getByLabel("Picture of the code").setInputFiles(await picture("page.png"));
  await expect(page.getByRole("alert")).toContainText("No code was found in the picture");
  // The answer to another code would be taken for this one's.
  await expect(answer(page)).toHaveCount(0);
  const letter = { name: "letter.png", mimeType: "image/png", buffer: Buffer.from("Dear Sir or Madam") };
  await page.getByLabel("Picture of the code").setInputFiles(letter);
  await expect(page.getByRole("alert")).toContainText("This picture could not be read");
  await page.getByRole("button", { name: "Scan with the camera" }).click();
  await expect(page.getByRole("alert")).toContainText("The camera can’t be used");
  await expect(page.getByRole("button", { name: "Scan with the camera" })).toBeVisible();
});

for (const file of ["reader.js", "zxing_reader.wasm"]) {
  test(`a reader of codes whose ${file} can't be loaded is said in words`, async ({ context, server }) => {
    const { code } = await issueCode(server);
    await context.route(`**/${file}`, (route) => route.fulfill({ status: 429 }));
    // Its decoder logs errors, which the fixture's page may not have.
    const page = await context.newPage();
    await open(page);
    await page.getByLabel("Picture of the code").setInputFiles(code);
    await expect(page.getByRole("alert")).toContainText("The program that reads codes could not be loaded");
  });
}
