import { buffer } from "node:stream/consumers";
import { mebibytesInBytes } from "../../units.ts";
import { marksIn } from "./marks.ts";
import type { Place } from "./place.ts";

/** Reads the replica of Litestream: 0.3 writes parts of the log as frames of LZ4, 0.5 LTX files (https://github.com/superfly/ltx). */

const newestLevel = ["ltx/0", "0000"];
const maxFiles = 120;
const maxFileBytes = mebibytesInBytes(128);
const maxBlockBytes = mebibytesInBytes(4);

/** The heartbeats in the newest file that has some; `page` is the database's page with all of them. */
export async function marksInReplica(place: Place, page: number): Promise<string[]> {
  const marks: string[] = [];
  for (const generation of await place.names("generations")) {
    marks.push(...(await newestMarks(place, `generations/${generation}/wal`, expandFrame)));
  }
  for (const level of newestLevel) {
    marks.push(...(await newestMarks(place, level, (file) => pageOf(file, page) ?? Buffer.of())));
  }
  return marks;
}

async function newestMarks(place: Place, folder: string, contentOf: (file: Buffer) => Buffer): Promise<string[]> {
  const names = (await place.names(folder)).filter((name) => /\.(ltx|wal\.lz4)$/.test(name));
  for (const name of names.slice(-maxFiles).toReversed()) {
    const file = await readFile(place, `${folder}/${name}`);
    const marks = file ? marksIn(contentOf(file)) : [];
    if (marks.length > 0) return marks;
  }
  return [];
}

async function readFile(place: Place, name: string): Promise<Buffer | undefined> {
  try {
    if ((await place.size(name)) > maxFileBytes) return undefined;
    return await buffer(await place.read(name));
  } catch (error) {
    if (await place.has(name)) throw error;
    return undefined;
  }
}

const headerBytes = 100;
/** Set if a page is a block of LZ4 after its length; earlier versions wrote frames. */
const hasLength = 1;

/** The content of a page in an LTX file; undefined if it did not change. */
function pageOf(file: Buffer, page: number): Buffer | undefined {
  if (file.toString("latin1", 0, 4) !== "LTX1") throw new Error("a file of the copy is none of Litestream 0.5");
  const pageBytes = file.readUInt32BE(8);
  for (let at = headerBytes; ;) {
    const number = file.readUInt32BE(at);
    if (number === 0) return undefined;
    if ((file.readUInt16BE(at + 4) & hasLength) === 0) throw new Error("the copy needs a newer Litestream: 0.5.10");
    const start = at + 10;
    at = start + file.readUInt32BE(at + 6);
    if (number === page) return decompressBlock(file.subarray(start, at), pageBytes);
  }
}

/** Decompresses a block of LZ4. Throws if it is damaged. */
function decompressBlock(block: Buffer, bytes: number): Buffer {
  const output = Buffer.alloc(Math.min(bytes, maxBlockBytes));
  let [from, to] = [0, 0];
  const lengthOf = (nibble: number) => {
    let length = nibble;
    if (nibble === 15) for (let next = 255; next === 255; length += next) next = block.readUInt8(from++);
    return length;
  };
  while (from < block.length) {
    const token = block.readUInt8(from++);
    const literals = lengthOf(token >> 4);
    if (to + literals > output.length || from + literals > block.length)
      throw new Error("a page of the copy is damaged");
    block.copy(output, to, from, (from += literals));
    to += literals;
    if (from >= block.length) break;
    const offset = block.readUInt16LE(from);
    from += 2;
    const length = lengthOf(token & 15) + 4;
    if (offset === 0 || offset > to || to + length > output.length) throw new Error("a page of the copy is damaged");
    // Source and target may overlap: then the bytes repeat.
    for (const end = to + length; to < end; to++) output[to] = output[to - offset]!;
  }
  return output.subarray(0, to);
}

/** The content of a frame of LZ4 with independent blocks. */
function expandFrame(file: Buffer): Buffer {
  if (file.readUInt32LE(0) !== 0x184d2204) throw new Error("a part of the copy is none of Litestream 0.3");
  const flags = file.readUInt8(4);
  const blocks: Buffer[] = [];
  // Sizes, checksums and a dictionary's id are there if a flag says so.
  for (let at = 7 + (flags & 8) + (flags & 1) * 4; ;) {
    const size = file.readUInt32LE(at);
    if (size === 0) return Buffer.concat(blocks);
    const length = size & 0x7fff_ffff;
    const block = file.subarray(at + 4, at + 4 + length);
    blocks.push(size === length ? decompressBlock(block, maxBlockBytes) : block);
    at += 4 + length + (flags & 16 ? 4 : 0);
  }
}
