import { Readable, Writable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DamagedArchive, readArchive, writeArchive } from "./archive.ts";

const { signal } = new AbortController();

/** An archive of a text and 2,500 short entries, as bytes. */
async function written(gzip = false) {
  const chunks: Buffer[] = [];
  const to = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  await writeArchive(to, { gzip, signal }, async (archive) => {
    await archive.add("first.json", "Ärger");
    for (let n = 1; n <= 2500; n++) await archive.addStream(`part/${n}`, 3, [Buffer.from("a"), Buffer.from("bc")]);
  });
  return Buffer.concat(chunks);
}

const [plain, small] = [await written(), await written(true)];

async function read(bytes: Buffer, pieces = 1000) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / pieces) }, (_, n) =>
    bytes.subarray(n * pieces, (n + 1) * pieces),
  );
  const names: string[] = [];
  for await (const { name } of readArchive(Readable.from(chunks), signal)) names.push(name);
  return names;
}

test("what is added is read in the same order, made smaller or not", async () => {
  expect(await read(plain)).toHaveLength(2501);
  expect(await read(small)).toEqual(await read(plain));
  expect(gunzipSync(small).length).toBe(plain.length);
});

test("an entry's content comes as it was, and the sum of what nobody read is checked too", async () => {
  for await (const { name, content } of readArchive(Readable.from([plain]), signal)) {
    expect(name).toBe("first.json");
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("Ärger");
    break;
  }
  const changed = Buffer.from(plain);
  changed.write("abd", changed.lastIndexOf("abc"));
  await expect(read(changed)).rejects.toThrow("is not as it was written");
});

test.each([
  ["before it begins", 0],
  ["in the name of its first entry", 1],
  ["in its first content", 512],
  ["in its middle", plain.length >> 1],
  ["before its end", -3000],
  ["in its end", -1025],
])("one that is cut off %s is refused", async (_, at) => {
  await expect(read(plain.subarray(0, at))).rejects.toThrow(DamagedArchive);
});

test.each([0, 1, 20, small.length >> 1, -1])("one made smaller that is cut off at byte %i is refused", async (at) => {
  await expect(read(small.subarray(0, at))).rejects.toThrow(DamagedArchive);
});

test("one from which an entry was taken, or that is none at all, is refused", async () => {
  const entry = plain.indexOf("part/7\0");
  const without = Buffer.concat([plain.subarray(0, entry), plain.subarray(entry + 1024)]);
  await expect(read(without)).rejects.toThrow("is not as it was written");
  await expect(read(Buffer.from("not a backup ".repeat(100)))).rejects.toThrow("can’t be read as a backup");
});

test("where it can't be written, the reason is told, and an entry of another size than announced breaks it off", async () => {
  const full = () =>
    new Writable({ highWaterMark: 1, write: (_, __, done) => done(new Error("there is no room left")) });
  const adding = writeArchive(full(), { gzip: false, signal }, async (archive) => {
    for (let n = 1; n <= 2500; n++) await archive.add(`part/${n}`, "x".repeat(1000));
  });
  await expect(adding).rejects.toThrow("there is no room left");
  const to = new Writable({ write: (_, __, done) => done() });
  const short = writeArchive(to, { gzip: false, signal }, async (archive) => {
    await archive.addStream("short", 4, [Buffer.from("abc")]);
  });
  await expect(short).rejects.toThrow("Size mismatch");
});
