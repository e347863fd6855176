import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { marksInReplica } from "./litestream.ts";
import { markOf } from "./marks.ts";
import { folderPlace } from "./place.ts";

const [earlier, later] = ["2026-11-29T18:00:00.000Z", "2026-11-29T18:00:05.000Z"].map(markOf) as [string, string];

/** A block of LZ4: two literals, a match that repeats them, and the rest as literals. */
function blockOf(text: string): Buffer {
  const rest = Buffer.from(text.padEnd(300, "\0"));
  const length = rest.length - 15;
  return Buffer.concat([
    Buffer.from([0x20, 0x61, 0x62, 0x02, 0x00, 0xf0, ...(length >= 255 ? [255, length - 255] : [length])]),
    rest,
  ]);
}

/** A file of Litestream 0.5 with the pages 1 and 7. */
function ltxOf(text: string): Buffer {
  const header = Buffer.alloc(100);
  header.write("LTX1");
  header.writeUInt32BE(512, 8);
  const pages = [blockOf("another page"), blockOf(text)].map((block, n) => {
    const page = Buffer.alloc(10);
    page.writeUInt32BE([1, 7][n]!);
    page.writeUInt16BE(1, 4);
    page.writeUInt32BE(block.length, 6);
    return Buffer.concat([page, block]);
  });
  return Buffer.concat([header, ...pages, Buffer.alloc(6)]);
}

/** A part of the log of Litestream 0.3. */
function frameOf(text: string): Buffer {
  const block = blockOf(text);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(block.length);
  return Buffer.concat([Buffer.from("04224d186470b9", "hex"), size, block, Buffer.alloc(8)]);
}

async function replica(files: Record<string, Buffer>) {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-replica-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(directory, path, ".."), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  return folderPlace(directory);
}

const name = (n: number) => `${`${n}`.padStart(16, "0")}-${`${n}`.padStart(16, "0")}.ltx`;

test("the newest heartbeat is found in the files of either version of Litestream", async () => {
  const ofLtx = { [`ltx/0/${name(1)}`]: ltxOf(earlier), [`ltx/0/${name(2)}`]: ltxOf(later) };
  expect(await marksInReplica(await replica(ofLtx), 7)).toEqual([later]);
  expect(await marksInReplica(await replica(ofLtx), 8), "another page").toEqual([]);
  const wal = "generations/e42617a8847e8790/wal";
  const ofParts = {
    [`${wal}/00000000_00000000.wal.lz4`]: frameOf(earlier),
    [`${wal}/00000001_0.wal.lz4`]: frameOf(later),
  };
  expect(await marksInReplica(await replica(ofParts), 7)).toEqual([later]);
  expect(await marksInReplica(await replica({}), 7)).toEqual([]);
});

test("a damaged file of the copy is an error and takes no time or memory", async () => {
  for (const damaged of [Buffer.alloc(200), ltxOf(later).subarray(0, 300), Buffer.from("LTX1")]) {
    await expect(marksInReplica(await replica({ [`0000/${name(1)}`]: damaged }), 7)).rejects.toThrow();
  }
});
