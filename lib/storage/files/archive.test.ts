import { Readable, Writable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DamagedArchive, readArchive, writeArchive } from "./archive.ts";

const { signal } = new AbortController();

/** The bytes of an archive of a text and 2,500 short entries. */
async function makeArchive(gzip = false) {
  const chunks: Buffer[] = [];
  const to = new Writable({
    write(chunk: Buffer, _, finished) {
      chunks.push(chunk);
      finished();
    },
  });
  await writeArchive(to, { gzip, signal }, async (archive) => {
    await archive.add("first.json", "Ärger");
    for (let n = 1; n <= 2500; n++) await archive.addStream(`part/${n}`, 3, [Buffer.from("a"), Buffer.from("bc")]);
  });
  return Buffer.concat(chunks);
}

const [plain, gzipped] = [await makeArchive(), await makeArchive(true)];

async function read(bytes: Buffer, pieces = 1000) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / pieces) }, (_, n) =>
    bytes.subarray(n * pieces, (n + 1) * pieces),
  );
  const names: string[] = [];
  for await (const { name } of readArchive(Readable.from(chunks), signal)) names.push(name);
  return names;
}

test("reads entries in the order they were added, gzipped or not", async () => {
  expect(await read(plain)).toHaveLength(2501);
  expect(await read(gzipped)).toEqual(await read(plain));
  expect(gunzipSync(gzipped).length).toBe(plain.length);
});

test("returns an entry's content, and checks content that is not read", async () => {
  for await (const { name, content } of readArchive(Readable.from([plain]), signal)) {
    expect(name).toBe("first.json");
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("Ärger");
    break;
  }
  const changed = Buffer.from(plain);
  changed.write("abd", changed.lastIndexOf("abc"));
  await expect(read(changed)).rejects.toThrow("does not match its checksums");
});

test.each([
  ["before it begins", 0],
  ["in the name of its first entry", 1],
  ["in its first content", 512],
  ["in its middle", plain.length >> 1],
  ["before its end", -3000],
  ["in its end", -1025],
])("refuses an archive truncated %s", async (_, at) => {
  await expect(read(plain.subarray(0, at))).rejects.toThrow(DamagedArchive);
});

test.each([0, 1, 20, gzipped.length >> 1, -1])("refuses a gzipped archive truncated at byte %i", async (at) => {
  await expect(read(gzipped.subarray(0, at))).rejects.toThrow(DamagedArchive);
});

test("says that an archive is truncated if that is noticed while a reader is busy", async () => {
  const chunks: Buffer[] = [];
  const to = new Writable({ write: (chunk: Buffer, _, finished) => (chunks.push(chunk), finished()) });
  await writeArchive(to, { gzip: false, signal }, (archive) => archive.add("long", "x".repeat(100_000)));
  const whole = Buffer.concat(chunks);
  const ended = Promise.withResolvers<void>();
  async function* pieces() {
    for (let at = 0; at < 2000; at += 1000) yield whole.subarray(at, at + 1000);
    ended.resolve();
  }
  const read = async () => {
    for await (const { content } of readArchive(Readable.from(pieces()), signal)) {
      await ended.promise;
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
      for await (const _ of content);
    }
  };
  await expect(read()).rejects.toThrow("(Unexpected end of data) at long");
});

test("refuses an archive without one of its entries, and a file that is no archive", async () => {
  const entry = plain.indexOf("part/7\0");
  const without = Buffer.concat([plain.subarray(0, entry), plain.subarray(entry + 1024)]);
  await expect(read(without)).rejects.toThrow("does not match its checksums");
  await expect(read(Buffer.from("not a backup ".repeat(100)))).rejects.toThrow("can’t be read as a backup");
});

test("reports why writing failed, and aborts on an entry of another size than declared", async () => {
  const full = () =>
    new Writable({ highWaterMark: 1, write: (_, __, finished) => finished(new Error("the disk is full")) });
  const adding = writeArchive(full(), { gzip: false, signal }, async (archive) => {
    for (let n = 1; n <= 2500; n++) await archive.add(`part/${n}`, "x".repeat(1000));
  });
  await expect(adding).rejects.toThrow("the disk is full");
  const to = new Writable({ write: (_, __, done) => done() });
  const short = writeArchive(to, { gzip: false, signal }, async (archive) => {
    await archive.addStream("short", 4, [Buffer.from("abc")]);
  });
  await expect(short).rejects.toThrow("Size mismatch");
});
