import { crc32, constants, deflateRawSync } from "node:zlib";

/** A text that is sent often, with its compressed form, which needs nothing of what stands before it. */
export type Part = { text: Buffer; deflated: Buffer };

export function asPart(given: string): Part {
  const text = ownBytes(given);
  return { text, deflated: ownBytes(deflateRawSync(text, { level: 9, finishFlush: constants.Z_FULL_FLUSH })) };
}

/** Bytes to be kept: a small buffer as Node makes it is a piece of 64 kB, which it would keep as well. */
export function ownBytes(given: string | Buffer, encoding: BufferEncoding = "utf8"): Buffer<ArrayBuffer> {
  const bytes = typeof given === "string" ? Buffer.from(given, encoding) : given;
  const own = Buffer.alloc(bytes.length);
  bytes.copy(own);
  return own;
}

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff]);

/** The gzip file (RFC 1952) of parts and of short texts between them, which are stored as they are. */
export function gzipOf(parts: (Part | Buffer)[]): Buffer {
  const blocks: Buffer[] = [header];
  let [checksum, bytes] = [0, 0];
  for (const part of parts) {
    const text = "text" in part ? part.text : part;
    checksum = crc32(text, checksum);
    bytes += text.length;
    if ("deflated" in part) blocks.push(part.deflated);
    else blocks.push(storedHead(part.length), part);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(checksum, 0);
  end.writeUInt32LE(bytes, 4);
  return Buffer.concat([...blocks, lastBlock, end]);
}

function storedHead(length: number) {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(length, 1);
  head.writeUInt16LE(length ^ 0xffff, 3);
  return head;
}
