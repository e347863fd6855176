import { deflateSync } from "node:zlib";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { expect, test } from "../support/journey.ts";
import { picture } from "../support/page-files.ts";
import { addFiles, chooseType, next, step } from "../support/wizard.ts";

/** What is added by mistake or by malice: each gets its reason, in the right place, and costs nothing that was there. */

test.beforeEach(({ signInAs }) => signInAs());

const file = (name: string, content: string | Buffer, mimeType = "image/png") => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** A black PNG of the given size, whose pixels come from a few kilobytes. */
function hugePng(width: number, height: number) {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

function crc(bytes: Buffer) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A page whose content unpacks to two gigabytes. */
async function bombPdf() {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage();
  const once = deflateSync(Buffer.alloc(2 ** 27, "q Q "), { level: 9 });
  const stream = pdf.context.stream(deflateSync(once), { Filter: ["FlateDecode", "FlateDecode"] });
  const contents = pdf.context.register(stream);
  page.node.set(PDFName.of("Contents"), pdf.context.obj(Array.from({ length: 16 }, () => contents)));
  return Buffer.from(await pdf.save());
}

test("files that are not pages are refused one by one, and the valid ones are added", async ({ page, hasScripts }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("Among bad company");
  await next(page);
  await step(page, "Pages");
  await addFiles(
    page,
    hasScripts,
    file("invoice.png", "MZ\u0090\u0000\u0003 a renamed program"),
    file("drawing.png", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    file("page.jpg", "<!doctype html><title>Not a picture</title>", "image/jpeg"),
    file("broken.pdf", "%PDF-1.7\n1 0 obj << /Type /Catalog", "application/pdf"),
    file("wall.png", hugePng(30_000, 30_000)),
    await picture("good.png"),
    file("../../etc/pass\u202Egnp.exe.png", (await picture("x.png")).buffer),
  );
  await expect(page.getByRole("alert").getByRole("listitem")).toHaveText([
    "“invoice.png” is not a JPG, PNG or PDF",
    "“drawing.png” is an SVG drawing: save it as a PDF",
    "“page.jpg” is a web page: print it to a PDF and add that",
    "“broken.pdf” is damaged and can’t be read",
    "“wall.png” has more than 100 million pixels: save it smaller and add it again",
  ]);
  await expect(page.getByRole("link", { name: "Preview page 1, good.png" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Preview page 2, passgnp.exe.png" })).toBeVisible();
  await next(page);
  await step(page, "Review");
});

test("a decompression bomb is refused, and does not delay the next page", async ({ page, hasScripts }) => {
  await chooseType(page);
  await page.getByLabel("Document name").fill("After the bomb");
  await next(page);
  await step(page, "Pages");
  await addFiles(page, hasScripts, file("bomb.pdf", await bombPdf(), "application/pdf"), await picture("good.png"));
  await expect(page.getByRole("link", { name: /^Preview page \d, good.png/ })).toBeVisible();
});

test("a PDF/executable polyglot is served as a clean PDF", async ({ page, hasScripts }) => {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  const polyglot = Buffer.concat([
    Buffer.from(await pdf.save()),
    Buffer.from("\nPK\u0003\u0004 <script>SMUGGLED</script>"),
  ]);
  await chooseType(page);
  await page.getByLabel("Document name").fill("Two things at once");
  await next(page);
  await addFiles(page, hasScripts, file("both.pdf", polyglot, "application/pdf"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await next(page);
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Two things at once");
  const answer = await page.request.get(`/files${new URL(page.url()).pathname}/pages/1`);
  expect(answer.headers()["content-type"]).toBe("application/pdf");
  expect((await answer.body()).toString("latin1")).not.toContain("SMUGGLED");
});

test("texts that can't be stored are refused at their fields and stay as typed", async ({ page }) => {
  await chooseType(page);
  const turned = "Invoice \u202Efdp.exe";
  await page.getByLabel("Document name").fill(turned);
  await page.getByLabel("User email").fill("nobody@nowhere");
  await page.getByLabel("Creation date").fill("31-02-2026");
  await page.getByLabel("Document number").evaluate((input: HTMLInputElement) => input.removeAttribute("maxlength"));
  await page.getByLabel("Document number").fill("N".repeat(51));
  await next(page);
  await expect(page.getByRole("alert").getByRole("link")).toHaveText([
    "Shorten the document number to 50 characters",
    "There is no 31 February in 2026",
    "Type the document name again: it contains a character that can’t be stored",
    "Enter an email address like name@company.example",
  ]);
  await expect(page.getByLabel("Document name")).toHaveValue(turned);
  await expect(page.getByLabel("Document number")).toHaveValue("N".repeat(51));
});

test("pages whose scripts fail to load work as without scripts", async ({ page }) => {
  await page.route("**/assets/*.js", (route) => route.abort());
  page.removeAllListeners("console");
  await chooseType(page);
  await page.getByLabel("Document name").fill("Without its scripts");
  await next(page);
  await step(page, "Pages");
  await addFiles(page, false, await picture("page.png"));
  await expect(page.getByRole("button", { name: "Remove page 1" })).toBeVisible();
  await next(page);
  await step(page, "Review");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Without its scripts");
});

test("a draft is for its owner only", async ({ page, context, signInAs }) => {
  await chooseType(page);
  const draft = new URL(page.url()).pathname;
  await context.clearCookies();
  await signInAs("daniel@hallam.example");
  const answer = await page.goto(draft);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("There is no such draft.")).toBeVisible();
});
