import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invoice } from "#tests/fixtures/altered-pdfs.ts";
import { saveAgain, without } from "#tests/fixtures/pdf-programs.ts";
import { updated } from "#tests/fixtures/pdf.ts";
import { sealPages } from "#tests/fixtures/sealed-file.ts";
import { testSigner } from "#tests/fixtures/signer.ts";
import { comparePdfs } from "../compare/compare.ts";

let directory: string;
let sealed: Awaited<ReturnType<typeof sealPages>>;
const signer = testSigner();
const pages = invoice(1);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-signature-"));
  sealed = await sealPages(pages, join(directory, "sealed.pdf"), signer, { unused: 40 });
});
afterAll(() => rm(directory, { recursive: true }));

async function compared(bytes: Uint8Array) {
  const path = join(directory, "file.pdf");
  await writeFile(path, bytes);
  return comparePdfs({ path, sealed: sealed.path, pictures: 0 });
}

const signatureOf = async (bytes: Uint8Array) => (await compared(bytes)).signature;

function flipped(at: number, to?: string) {
  const bytes = Buffer.from(sealed.bytes);
  if (to) bytes.write(to, at, "latin1");
  else bytes[at]! ^= 1;
  return bytes;
}

test("is intact in the sealed PDF", async () => {
  expect(await signatureOf(sealed.bytes)).toBe("intact");
});

test("is broken if one byte that it covers is another, wherever a file can still be opened", async () => {
  const states: string[] = [];
  const { start, end } = sealed.space;
  for (let n = 1; n < 16; n++) {
    const at = Math.floor((sealed.bytes.length * n) / 16);
    if (at >= start && at < end) continue;
    states.push(await signatureOf(flipped(at)).catch(() => "can't be opened"));
  }
  // Not in a stamp, whose every byte PDFium needs.
  expect(states.filter((state) => state === "broken").length).toBeGreaterThan(4);
  expect(states.filter((state) => !["broken", "can't be opened"].includes(state))).toEqual([]);
});

test("is broken if its date is another", async () => {
  const at = sealed.bytes.indexOf("(D:2026");
  expect(await signatureOf(flipped(at + 6, "7"))).toBe("broken");
});

test("is broken if the number that was signed is another", async () => {
  const { start, end } = sealed.space;
  const last = sealed.bytes.toString("latin1", start, end).replace(/[0>]+$/, "").length + start;
  expect(await signatureOf(flipped(last - 20, sealed.bytes[last - 20] === 0x61 ? "b" : "a"))).toBe("broken");
});

test("is intact if bytes differ that no signature covers: what fills up its space, and the root certificate", async () => {
  const { space } = sealed;
  expect(await signatureOf(flipped(space.end - 6, "1"))).toBe("intact");
  const root = sealed.bytes.indexOf(signer.chain.at(-1)!.toString("hex"), space.start, "latin1");
  expect(root).toBeGreaterThan(0);
  expect(
    await signatureOf(flipped(root + 300, sealed.bytes.toString("latin1", root + 300, root + 301) === "a" ? "b" : "a")),
  ).toBe("intact");
});

test("covers a part if something was appended", async () => {
  const { 1: root } = /\/Root (\d+ 0 R)/.exec(sealed.bytes.toString("latin1"))!;
  const tail = updated(sealed.bytes, { 399: "<< /Note (appended) >>" }).subarray(sealed.bytes.length);
  const text = tail.toString("latin1").replace("/Root 1 0 R", `/Root ${root}`);
  expect(await signatureOf(Buffer.concat([sealed.bytes, Buffer.from(text, "latin1")]))).toBe("covers a part");
});

test("is of another key if the same pages were sealed with one, whatever name its certificate has", async () => {
  const other = await sealPages(pages, join(directory, "other.pdf"), testSigner());
  expect(await compared(other.bytes)).toMatchObject({ signature: "of another key", changes: [], more: [] });
});

test("is gone if it was taken out", async () => {
  const pdf = await PDFDocument.load(sealed.bytes);
  const { catalog } = pdf;
  for (const key of ["AcroForm", "Perms"])
    catalog.delete(catalog.keys().find((name) => name.asString() === `/${key}`)!);
  expect(await signatureOf(await pdf.save())).toBe("none");
});

test.skipIf(without("qpdf") || without("gs"))("is broken or gone in files that programs saved again", async () => {
  const to = join(directory, "again.pdf");
  await saveAgain.qpdf(sealed.path, to);
  expect(await signatureOf(await readFile(to))).toBe("broken");
  await saveAgain.gs(sealed.path, to);
  expect(await signatureOf(await readFile(to))).toBe("none");
});
