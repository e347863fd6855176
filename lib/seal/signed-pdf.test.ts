import { execFile } from "node:child_process";
import { createHash, createPrivateKey } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compose } from "../page-files/seal/compose.ts";
import { inspectPdf, without } from "#tests/fixtures/pdf-programs.ts";
import { everyKind } from "#tests/fixtures/pdf.ts";
import { companyName, pemOf, signerOf, testSigner } from "#tests/fixtures/signer.ts";
import { type SealSigner, signatureRoom, signDigest } from "./cms.ts";
import { sealInPlace } from "./signed-file.ts";

const run = promisify(execFile);

let directory: string;
let pdfCount = 0;
const fileOf = async (bytes: Uint8Array | string, name = `${++pdfCount}`) => {
  const path = join(directory, name);
  await writeFile(path, bytes);
  return path;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-signed-"));
});

afterAll(() => rm(directory, { recursive: true }));

async function twoPages() {
  const pdf = await PDFDocument.create();
  for (const text of ["Amount 100", "Amount 200"]) pdf.addPage().drawText(text);
  return pdf.save({ useObjectStreams: false });
}

/** A sealed PDF of some pages: where it is, its bytes, its signature, and what is known of it. */
async function sealed(by: SealSigner, pages?: Uint8Array) {
  const path = `${await fileOf(pages ?? (await twoPages()))}.sealed.pdf`;
  const room = signatureRoom(by.chain, false);
  const form = { name: companyName, at: "2026-11-23T12:32:52.123Z", room };
  const source = path.replace(".sealed.pdf", "");
  const { signature: remainder } = await compose([{ path: source, type: "application/pdf" }], path, {
    signature: form,
  });
  const space = remainder!;
  const sign = async (digest: Buffer) => (await signDigest(digest, by, { room })).signature;
  const result = await sealInPlace(path, { signature: space }, { sign });
  const bytes = await readFile(path);
  const hex = bytes.toString("latin1", space.start + 1, space.end - 1);
  const filled = Buffer.from(hex, "hex");
  // Zeros follow the DER, whose length is in its third and fourth byte.
  const signature = filled.subarray(0, 4 + filled.readUInt16BE(2));
  const content = Buffer.concat([bytes.subarray(0, space.start), bytes.subarray(space.end)]);
  return { path, room, result, bytes, space, signature, content };
}

const { pdfsig, qpdf, mutool } = inspectPdf;

test("size and SHA-256 are those of the whole file", async () => {
  const { result, bytes, content } = await sealed(testSigner());
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const digest = createHash("sha256").update(content).digest("hex");
  expect(result).toEqual({ bytes: bytes.length, sha256, digest });
});

test("a signature leaves hardly any of its space unused, as changes there would not be noticed", async () => {
  const { room, signature } = await sealed(testSigner());
  expect(room - signature.length).toBeLessThan(8);
});

test("a file without a space for a signature, and a signature that is too large, are refused", async () => {
  const signature = { start: 0, end: 4 };
  const sign = async () => Buffer.alloc(9);
  const drawStamp = async () => Buffer.from("+");
  const seal = async (bytes: string) => sealInPlace(await fileOf(bytes), { signature }, { sign });
  await expect(seal("<00>")).rejects.toThrow("larger than its space");
  const short = async () => Buffer.alloc(1);
  await expect(sealInPlace(await fileOf("<0x>"), { signature }, { sign: short })).rejects.toThrow("no space");
  await expect(sealInPlace(await fileOf("<0"), { signature }, { sign: short })).rejects.toThrow("no space");
  for (const [bytes, words] of [
    ["x<00>", "no space"],
    ["  <00>", "does not fit"],
  ] as const) {
    const end = bytes.indexOf("<");
    const spaces = { stamp: { start: 0, end }, signature: { start: end, end: end + 4 } };
    await expect(sealInPlace(await fileOf(bytes), spaces, { drawStamp, sign })).rejects.toThrow(words);
  }
});

/** With keys of operators, which may be of other kinds. */
async function otherSigner(...parameters: string[]) {
  const [key, certificate] = [join(directory, `${++pdfCount}.key`), join(directory, `${++pdfCount}.pem`)];
  await run("openssl", [
    ..."req -x509 -noenc -days 30 -subj /CN=Operator -addext keyUsage=critical,digitalSignature".split(" "),
    "-newkey",
    ...parameters,
    "-keyout",
    key,
    "-out",
    certificate,
  ]);
  const der = await run("openssl", ["x509", "-in", certificate, "-outform", "DER"], { encoding: "buffer" });
  return signerOf(createPrivateKey(await readFile(key)), [der.stdout]);
}

test.skipIf(without("openssl")).each([
  ["P-256", undefined],
  ["P-384", ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"]],
  ["RSA of 2048 bits", ["rsa:2048"]],
])("openssl verifies a signature by a key of the kind %s as CAdES", async (_, parameters) => {
  const by = parameters ? await otherSigner(...parameters) : testSigner();
  const { signature, content, room } = await sealed(by);
  expect(room - signature.length).toBeLessThan(8);
  const args = ["cms", "-verify", "-cades", "-binary", "-inform", "DER", "-in", await fileOf(signature)];
  const root = await fileOf(pemOf(by.chain.at(-1)!));
  const verify = async (bytes: Uint8Array) =>
    run("openssl", [...args, "-content", await fileOf(bytes), "-CAfile", root, "-out", "/dev/null"]);
  expect((await verify(content)).stderr).toContain("CAdES Verification successful");
  content[content.length - 100]! ^= 1;
  await expect(verify(content)).rejects.toThrow("Verification failure");
});

test.skipIf(without("pdfsig"))("pdfsig finds one valid signature of the total document", async () => {
  const { path } = await sealed(testSigner());
  const signatures = await pdfsig(path);
  expect(signatures).toContain(`Signer Certificate Common Name: ${companyName}`);
  expect(signatures).toContain("Signature Type: ETSI.CAdES.detached");
  expect(signatures).toContain("Total document signed");
  expect(signatures).toContain("Signature Validation: Signature is Valid.");
  expect(signatures).toContain("Nov 23 2026");
  expect(signatures.match(/Signature #/g)).toHaveLength(1);
});

test.skipIf(without("pdfsig"))("pdfsig notices changed and appended bytes", async () => {
  const { bytes, space } = await sealed(testSigner());
  const changedAt = [50, Math.floor(bytes.length / 2) - 1000, space.start - 200, space.end + 40];
  for (const at of changedAt) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(await pdfsig(await fileOf(changed))).not.toContain("Signature is Valid.");
  }
  const longer = Buffer.concat([bytes, Buffer.from("% More\n")]);
  expect(await pdfsig(await fileOf(longer))).toContain("Not total document signed");
});

test.skipIf(without("qpdf"))("qpdf finds no error", async () => {
  const { path } = await sealed(testSigner(), await everyKind());
  expect(await qpdf(path)).toContain("No syntax or stream encoding errors found");
});

test.skipIf(without("mutool"))("mutool finds the document unchanged since it was signed", async () => {
  const { path, bytes } = await sealed(testSigner());
  expect(await mutool(path)).toContain("The document is unchanged since signing");
  const changed = Buffer.from(bytes);
  changed[50]! ^= 1;
  expect(await mutool(await fileOf(changed))).not.toContain("The document is unchanged since signing");
});

test("a signature that a page file brought along is gone, whether it was visible or not", async () => {
  const visible = await everyKind(
    { widget: "/FT /Sig /V 200 0 R" },
    { 200: "<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 10 20 30] /Contents <00> >>" },
  );
  const invisible = (await sealed(testSigner())).bytes;
  for (const pages of [visible, invisible]) {
    const { bytes } = await sealed(testSigner(), pages);
    expect(bytes.toString("latin1").match(/\/ByteRange/g)).toHaveLength(1);
    expect(bytes.toString("latin1").match(/\/FT/g)).toHaveLength(1);
  }
});

test.skipIf(without("python3") || without("openssl"))("the commands of docs/verifying.md verify it", async () => {
  const by = testSigner();
  const { bytes } = await sealed(by);
  const manual = await readFile(join(import.meta.dirname, "..", "..", "docs/verifying.md"), "utf8");
  const commands = /^ {4}python3 - [^]*?-out \/dev\/null$/m.exec(manual)![0].replace(/^ {4}/gm, "");
  await fileOf(pemOf(by.chain.at(-1)!), "sealdesk-root.pem");
  const verify = async (pdf: Uint8Array) => {
    await fileOf(pdf, "sealed.pdf");
    return (await run("sh", ["-ec", commands], { cwd: directory })).stderr;
  };
  expect(await verify(bytes)).toContain("CAdES Verification successful");
  await expect(verify(Buffer.concat([bytes, Buffer.from("%\n")]))).rejects.toThrow("does not cover the whole file");
  bytes[50]! ^= 1;
  await expect(verify(bytes)).rejects.toThrow("Verification failure");
});
