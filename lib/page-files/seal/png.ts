import { crc32, deflateSync } from "node:zlib";

const signature = Buffer.from("89504e470d0a1a0a", "hex");

/** A PNG (ISO/IEC 15948) of `side` by `side` modules, without the 20 MB of memory that an image library takes. */
export function bitPng(side: number, scale: number, isDark: (row: number, column: number) => boolean): Buffer {
  const pixels = side * scale;
  const lineBytes = 1 + Math.ceil(pixels / 8);
  const lines = Buffer.alloc(lineBytes * pixels);
  for (let row = 0; row < side; row++) {
    // The first byte: no filter.
    const line = Buffer.alloc(lineBytes, 0xff).fill(0, 0, 1);
    for (let x = 0; x < pixels; x++) {
      if (isDark(row, Math.floor(x / scale))) line[1 + (x >> 3)]! &= ~(0x80 >> (x & 7));
    }
    for (let n = 0; n < scale; n++) line.copy(lines, (row * scale + n) * lineBytes);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  header.writeUInt8(1, 8);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(lines)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

function chunk(type: string, data: Buffer) {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
