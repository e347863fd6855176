import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Sign1 } from "@auth0/cose";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { messageOf, type PublicJwk, shortIdOf, signCode, isSignedBy, readSignedCode } from "../../seal/signed-code.ts";
import { statedDigest } from "../../seal/sealed-digest.ts";
import { sealInPlace } from "../../seal/signed-file.ts";
import type { Statement } from "../../seal/statement.ts";
import { rasterOf, without } from "#tests/fixtures/pdf-programs.ts";
import { readByZbar, readByZxing } from "#tests/fixtures/qr-decoders.ts";
import { sealedDigest } from "#tests/fixtures/sealed-digest.ts";
import { oneIn } from "#tests/support/shares.ts";
import { compose } from "./compose.ts";
import type { Placing } from "../file-types.ts";
import { qrModules } from "./qr.ts";
import { stampContent } from "./stamp-content.ts";

const address = "https://sealdesk.example/v/4C7H29KD3P172XQ08";
const code = "4C7H-29KD-3P17-2XQ0-8";
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = publicKey.export({ format: "jwk" }) as PublicJwk;
const sizes = { small: 20, medium: 30, large: 35 };
const corners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;

let directory: string;
let source: string;

/** Two pages: of A4, and a slip of A6 that lies on its side. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-codes-"));
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]).drawText("Black text beside the code", { x: 40, y: 60, size: 20 });
  pdf.addPage([420, 298]).drawText("A slip", { x: 200, y: 150, size: 20 });
  source = join(directory, "pages.pdf");
  await writeFile(source, await pdf.save());
});

afterAll(() => rm(directory, { recursive: true }));

/** The signed address of a statement with a digest. */
async function signedAddress(digest: Uint8Array) {
  const statement: Statement = {
    number: "NM-7K2P9Q",
    type: 2,
    date: 20780,
    lastDay: 21510,
    digest,
    pages: 2,
    copy: 1,
    of: 1,
    revision: 2,
  };
  const digits = await signCode(address, { shortId: await shortIdOf(jwk), statement }, (message) =>
    sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" }),
  );
  return `${address}/${digits}`;
}

/** Seals the pages as the provider does, with a signature of random bytes. */
async function seal(placing: Placing, pages = source) {
  const path = join(directory, `${randomBytes(6).toString("hex")}.pdf`);
  const signed = await signedAddress(new Uint8Array(16));
  const stamp = { code, placing, sizes: { plain: qrModules(address).size, signed: qrModules(signed).size } };
  const signature = { name: "Company", at: "2026-11-23T12:32:52.123Z", room: 100 };
  const spaces = await compose([{ path: pages, type: "application/pdf" }], path, { stamp, signature });
  const { isSigned } = spaces.stamp!;
  await sealInPlace(
    path,
    { ...spaces, signature: spaces.signature! },
    {
      drawStamp: async (digest) => stampContent(isSigned ? await signedAddress(digest.subarray(0, 16)) : address, code),
      sign: async () => randomBytes(100),
    },
  );
  return { path, isSigned };
}

/** What both decoders read on a page: the same, or the test fails. */
async function readPage(path: string, page: number) {
  const raster = await rasterOf(path, page);
  const [zxing, zbar] = await Promise.all([readByZxing(await readFile(raster)), readByZbar(raster)]);
  expect(zxing).toEqual(zbar);
  return zxing;
}

const placings = corners.flatMap((corner) =>
  (["first", "last", "every"] as const).flatMap((pages) =>
    (["small", "medium", "large"] as const).map((size) => ({ corner, pages, size })),
  ),
);

test.skipIf(without("pdftoppm") || without("zbarimg")).each(oneIn(5, placings))(
  "zbar and zxing read the code $corner of the $pages page, $size, from a scan of 300 dpi",
  async ({ corner, pages, size }) => {
    const { path, isSigned } = await seal({ place: corner, pages, millimetres: sizes[size] });
    expect(isSigned).toBe(size !== "small");
    const pageText = await readPage(path, pages === "last" ? 2 : 1);
    expect(pageText).toHaveLength(1);
    expect(pageText[0]).toMatch(isSigned ? /\/\d{263}$/ : /\/4C7H29KD3P172XQ08$/);
    if (pages === "every") expect(await readPage(path, 2)).toEqual(pageText);
    if (!isSigned) return;
    const digits = pageText[0]!.slice(address.length + 1);
    const message = readSignedCode(digits)!;
    const key = await crypto.subtle.importKey("jwk", jwk, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
    expect(await isSignedBy(key, address, message)).toBe(true);
    const external = { externalAAD: Buffer.from(address) };
    await expect(Sign1.decode(messageOf(digits)!).verify(key, external)).resolves.toBeUndefined();
    const { digest } = message.statement as Statement;
    expect(Buffer.from(digest!)).toEqual(sealedDigest(await readFile(path)));
  },
);

test("a code that a small page would make too dense stays plain on all pages", async () => {
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]);
  pdf.addPage([120, 120]);
  const path = join(directory, "small.pdf");
  await writeFile(path, await pdf.save());
  expect((await seal({ place: "top-left", pages: "every", millimetres: 35 }, path)).isSigned).toBe(false);
  expect((await seal({ place: "top-left", pages: "first", millimetres: 35 }, path)).isSigned).toBe(true);
});

test("any changed byte outside stamp and signature changes the digest that the code states", async () => {
  const { path } = await seal({ place: "top-left", pages: "first", millimetres: 35 });
  const pdf = await readFile(path);
  const stated = sealedDigest(pdf);
  const text = pdf.toString("latin1");
  const [, at, length] = /\/Skip \[ *(\d+) +(\d+) *\]/.exec(text)!.map(Number);
  const [, start, end] = /\/ByteRange *\[0 (\d+) (\d+)/.exec(text)!.map(Number);
  const isSkipped = (n: number) => (n >= at! && n < at! + length!) || (n >= start! && n < end!);
  for (let n = 0; n < pdf.length; n += 97) {
    const changed = Buffer.from(pdf);
    changed[n]! ^= 1;
    // Where the places themselves are changed, there may be none to read.
    let digest: Buffer | undefined;
    try {
      digest = sealedDigest(changed);
    } catch {
      continue;
    }
    expect(digest.equals(stated), `byte ${n}`).toBe(isSkipped(n));
  }
});

/** A file whose covered bytes are those of `genuine`, with an update behind them that changes its pages. */
function forged(genuine: Buffer) {
  const text = genuine.toString("latin1");
  const [, at, length] = /\/Skip \[ *(\d+) +(\d+) *\]/.exec(text)!.map(Number);
  const [, start, end] = /\/ByteRange *\[0 (\d+) (\d+)/.exec(text)!.map(Number);
  const covered = Buffer.concat([
    genuine.subarray(0, at),
    genuine.subarray(at! + length!, start),
    genuine.subarray(end),
  ]);
  const update = (size: number) =>
    `\n9 0 obj << /Type /Page /Sealdesk <<\n/V 1\n/Skip [${covered.length} 0] >> /ByteRange [0 ${covered.length} ${size} 0] >> endobj\n%%EOF\n`;
  const size = covered.length + update(10_000).length;
  return Buffer.concat([covered, Buffer.from(update(size).padEnd(size - covered.length, "\n"))]);
}

test("finds no digest in a forged update with its own places of stamp and signature", async () => {
  const { path } = await seal({ place: "top-left", pages: "first", millimetres: 35 });
  expect(await statedDigest(path)).toEqual(sealedDigest(await readFile(path)));
  const forgery = join(directory, "forged.pdf");
  await writeFile(forgery, forged(await readFile(path)));
  expect(await statedDigest(forgery)).toBeUndefined();
});

test.skipIf(without("python3"))(
  "the commands of docs/verifying.md compute the digest, and refuse a forged file",
  async () => {
    const { path } = await seal({ place: "top-left", pages: "first", millimetres: 30 });
    const manual = await readFile(join(import.meta.dirname, "..", "..", "..", "docs/verifying.md"), "utf8");
    const commands = /^ {4}python3 - sealed\.pdf <<'END'\n {4}import hashlib[^]*?^ {4}END$/m.exec(manual)![0];
    const run = (file: string) =>
      promisify(execFile)("sh", ["-ec", commands.replace(/^ {4}/gm, "").replace("sealed.pdf", file)]);
    expect((await run(path)).stdout.trim()).toBe(sealedDigest(await readFile(path)).toString("hex"));
    const forgery = join(directory, "forged-too.pdf");
    await writeFile(forgery, forged(await readFile(path)));
    await expect(run(forgery)).rejects.toMatchObject({ stdout: "", stderr: "not a sealed PDF, or a forged one\n" });
  },
);
