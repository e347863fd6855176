import { deflateSync } from "node:zlib";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compose } from "./seal/compose.ts";
import { withoutJpeg2000Metadata, withoutJpegMetadata } from "./image-metadata.ts";
import { expectClean, renderedPages } from "#tests/fixtures/pdf-contents.ts";
import { type Body, everyKind } from "#tests/fixtures/pdf.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-metadata-"));
});
afterAll(() => rm(directory, { recursive: true }));

const picture = () => sharp({ create: { width: 64, height: 64, channels: 3, background: "#bb2211" } });

/** A photo with what phones write into it: place and time, a colour profile, and parts that the tests add. */
const photo = () =>
  picture()
    .withExif({ IFD0: { Copyright: "MARK-OF-EXIF" } })
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>MARK-OF-XMP</x:xmpmeta>")
    .withIccProfile("srgb", { attach: true })
    .jpeg({ progressive: true })
    .toBuffer();

const segment = (marker: number, content: string | Buffer) => {
  const bytes = Buffer.from(content as string, "latin1");
  return Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]), bytes]);
};

/** The photo with a segment after its first marker. */
const withSegment = async (...parts: Buffer[]) => {
  const jpeg = await photo();
  return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]);
};

/** The photo with a segment before its second scan. */
async function withLateSegment(part: Buffer) {
  const jpeg = await photo();
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const second = jpeg.indexOf(Buffer.from([0xff, 0xda]), scan + 2);
  return Buffer.concat([jpeg.subarray(0, second), part, jpeg.subarray(second)]);
}

const pixels = (jpeg: Uint8Array) => sharp(jpeg).removeAlpha().raw().toBuffer();

describe("a JPEG loses", () => {
  const thumbnail = Buffer.concat([
    Buffer.from("JFIF\0\x01\x02\x00\x00\x48\x00\x48\x02\x02", "latin1"),
    Buffer.from("MARK-OF-12by"),
  ]);

  test.each<[string, () => Promise<Buffer>]>([
    ["EXIF and XMP", photo],
    ["comments", () => withSegment(segment(0xfe, "MARK"))],
    ["its thumbnail", () => withSegment(segment(0xe0, thumbnail))],
    ["a thumbnail of another kind", () => withSegment(segment(0xe0, "JFXX\0MARK"))],
    ["what cameras list of more pictures", () => withSegment(segment(0xe2, "MPF\0MARK"))],
    ["what follows Adobe's part", () => withSegment(segment(0xee, "Adobe\0\x64\0\0\0\0\x01MARK"))],
    ["comments between its scans", () => withLateSegment(segment(0xfe, "MARK"))],
    ["a film behind it", async () => Buffer.concat([await photo(), Buffer.from("MARK-OF-FILM")])],
  ])("%s, and looks the same", async (_, make) => {
    const jpeg = await make();
    expect(jpeg.includes("MARK")).toBe(true);
    const bare = withoutJpegMetadata(jpeg);
    expect(Buffer.from(bare).includes("MARK")).toBe(false);
    expect((await pixels(bare)).equals(await pixels(jpeg))).toBe(true);
    expect((await sharp(bare).metadata()).hasProfile).toBe(true);
  });

  test("nothing if it has no metadata, and is not copied", async () => {
    const jpeg = await picture().jpeg().toBuffer();
    const bare = withoutJpegMetadata(jpeg);
    expect(bare.length).toBe(jpeg.length);
    expect(bare.buffer).toBe(jpeg.buffer);
  });

  test.each([0, 1, 2, 3, 4, 5, 20, 21, 200, 300])("no more if it ends after %i bytes", async (length) => {
    const jpeg = (await photo()).subarray(0, length);
    expect(withoutJpegMetadata(jpeg).length).toBeLessThanOrEqual(length);
  });
});

test("a JPEG 2000 file keeps only required boxes", () => {
  const box = (type: string, content: string) => {
    const bytes = Buffer.alloc(8 + content.length);
    bytes.writeUInt32BE(bytes.length, 0);
    bytes.write(type + content, 4, "latin1");
    return bytes;
  };
  const drawn = [box("jP  ", "\r\n\x87\n"), box("ftyp", "jp2 "), box("jp2h", "header"), box("jp2c", "codestream")];
  const [first, ...rest] = drawn as [Buffer, ...Buffer[]];
  const file = Buffer.concat([first, box("uuid", "MARK"), box("xml ", "MARK"), ...rest, box("uinf", "MARK")]);
  expect(withoutJpeg2000Metadata(file)).toEqual(Buffer.concat(drawn));
  expect(withoutJpeg2000Metadata(Buffer.from("\xff\x4f codestream", "latin1")).length).toBeGreaterThan(5);
});

describe("a photo in a PDF loses its metadata", () => {
  const hex = (bytes: Buffer) => Buffer.from(`${bytes.toString("hex")}>`);

  test.each<[string, (jpeg: Buffer) => Buffer]>([
    ["/DCTDecode", (jpeg) => jpeg],
    ["[/DCTDecode]", (jpeg) => jpeg],
    ["[/DCT]", (jpeg) => jpeg],
    ["[/ASCIIHexDecode /DCTDecode]", hex],
    ["[/FlateDecode /DCTDecode]", deflateSync],
    ["[/AHx /Fl /DCT]", (jpeg) => hex(deflateSync(jpeg))],
  ])("packed as %s", async (filter, pack) => {
    const dict = `/Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter ${filter}`;
    const { from, to } = await composed({ 21: { dict, data: pack(await photo()) } });
    await expectClean(to);
    const [before, after] = [await renderedPages(from), await renderedPages(to)];
    expect(after[0]!.pixels.equals(before[0]!.pixels)).toBe(true);
  });

  test("that decompresses to far more is omitted", async () => {
    const bomb = deflateSync(Buffer.alloc(100 * 1024 * 1024));
    const dict = "/Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB";
    const { to } = await composed({ 21: { dict: `${dict} /Filter [/FlateDecode /DCTDecode]`, data: bomb } });
    expect((await readFile(to)).includes("DCTDecode")).toBe(false);
  });

  async function composed(objects: Record<number, Body>) {
    const [from, to] = [join(directory, "photo.pdf"), join(directory, "photo.clean.pdf")];
    await writeFile(from, await everyKind({}, objects));
    await compose([{ path: from, type: "application/pdf" }], to);
    return { from, to };
  }
});
