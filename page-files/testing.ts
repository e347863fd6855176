import { constants, crc32, deflateRawSync } from "node:zlib";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";

/** Page files for tests that take more than they seem to. */

type PngForm = { width: number; height: number; bits?: 8 | 16; channels?: 3 | 4; interlaced?: boolean };

/**
 * A black PNG of any size, made without holding its pixels: of 10,000 by 10,000 with 16 bits and four channels,
 * interlaced, it has 780 kB, and a program that opens it holds 800 MB.
 */
export function blackPng({ width, height, bits = 8, channels = 3, interlaced = false }: PngForm): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, channels === 4 ? 6 : 2, 0, 0, interlaced ? 1 : 0], 8);
  // Adam7's seven passes: where each begins, and its steps.
  const passes = interlaced
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]];
  let bytes = 0;
  for (const [x, y, stepX, stepY] of passes as [number, number, number, number][]) {
    bytes += Math.ceil((height - y) / stepY) * (1 + Math.ceil((width - x) / stepX) * channels * (bits / 8));
  }
  const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", deflatedZeros(bytes)), pngChunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...chunks]);
}

function pngChunk(type: string, data: Buffer) {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}

/** So many zeros as a zlib stream (RFC 1950): the same compressed megabyte again and again. */
function deflatedZeros(bytes: number) {
  const megabyte = 2 ** 20;
  const part = deflateRawSync(Buffer.alloc(megabyte), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const parts = Array.from({ length: Math.floor(bytes / megabyte) }, () => part);
  const checksum = Buffer.alloc(4);
  // Adler-32 of zeros: the one half stays 1, the other is their number.
  checksum.writeUInt32BE((bytes % 65_521) * 65_536 + 1);
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...parts,
    deflateRawSync(Buffer.alloc(bytes % megabyte), { level: 9 }),
    checksum,
  ]);
}

/**
 * A PDF whose first page is plain, and each of the `endless` others draws a form ten times, which draws another ten
 * times, and so on: 10^9 rectangles by default, from 7 kB.
 */
export async function endlessPdf(endless = 5, { plain = 1, levels = 9 } = {}) {
  const pdf = await PDFDocument.create();
  for (let n = 0; n < plain; n++) pdf.addPage([200, 200]).drawText("A plain page", { x: 20, y: 100, size: 12 });
  const dict = { Type: "XObject", Subtype: "Form", BBox: [0, 0, 200, 200] };
  let inner = pdf.context.register(pdf.context.flateStream("0 0 9 9 re f", dict));
  for (let n = 0; n < levels; n++) {
    const Resources = pdf.context.obj({ XObject: { X: inner } });
    inner = pdf.context.register(pdf.context.flateStream("/X Do ".repeat(10), { ...dict, Resources }));
  }
  for (let n = 0; n < endless; n++) {
    const { node } = pdf.addPage([200, 200]);
    node.set(PDFName.of("Resources"), pdf.context.obj({ XObject: { X: inner } }));
    node.set(PDFName.of("Contents"), pdf.context.register(pdf.context.stream("/X Do")));
  }
  return Buffer.from(await pdf.save());
}

/** A PDF whose first page is plain, and each of the others covered with 10^11 tiles: they take time and no memory. */
export async function tiledPdf(pages = 1) {
  const pdf = await PDFDocument.create();
  pdf.addPage([200, 200]).drawText("A plain page", { x: 20, y: 100, size: 12 });
  const tile = { Type: "Pattern", PatternType: 1, PaintType: 1, TilingType: 1, BBox: [0, 0, 1, 1] };
  const steps = { XStep: 0.0006, YStep: 0.0006, Resources: {} };
  const pattern = pdf.context.register(pdf.context.stream("0 0 1 1 re f", { ...tile, ...steps }));
  for (let n = 0; n < pages; n++) {
    const { node } = pdf.addPage([200, 200]);
    node.set(PDFName.of("Resources"), pdf.context.obj({ Pattern: { P: pattern } }));
    node.set(PDFName.of("Contents"), pdf.context.register(pdf.context.stream("/Pattern cs /P scn 0 0 200 200 re f")));
  }
  return Buffer.from(await pdf.save());
}
