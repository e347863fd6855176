import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minutesInMs } from "../../units.ts";
import { startS3, type TestS3 } from "#tests/support/s3.ts";
import type { Files } from "./files.ts";
import { openFiles } from "./open-files.ts";

let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

const bucket = () => ({
  name: s3.env.S3_BUCKET!,
  endpoint: s3.url,
  region: "us-east-1",
  accessKeyId: s3.env.S3_ACCESS_KEY_ID!,
  secretAccessKey: s3.env.S3_SECRET_ACCESS_KEY!,
});

const scratch = await mkdtemp(join(tmpdir(), "sealdesk-files-"));
afterAll(() => rm(scratch, { recursive: true }));
const folder = () => mkdtemp(join(scratch, "data-"));
const stores: [string, () => Promise<Files>][] = [
  ["folder", async () => openFiles({ directory: await folder() })],
  ["bucket", async () => openFiles({ directory: await folder(), bucket: bucket() })],
];

const text = async (files: Files, key: string, range?: { start: number; end: number }) =>
  new Response(await files.stream(key, range)).text();

describe.each(stores)("in a %s", (name, open) => {
  test("returns what was stored, whole or a range", async () => {
    const files = await open();
    const stored = await files.put(`${name}-a/1`, Readable.from([Buffer.from("0123"), Buffer.from("456789")]));
    expect(stored).toEqual({ bytes: 10, sha256: createHash("sha256").update("0123456789").digest("hex") });
    expect(await files.size(`${name}-a/1`)).toBe(10);
    expect(await text(files, `${name}-a/1`)).toBe("0123456789");
    expect(await text(files, `${name}-a/1`, { start: 2, end: 4 })).toBe("234");
    expect(await files.exists(`${name}-a/1`)).toBe(true);
    expect(await files.exists(`${name}-a/2`)).toBe(false);
    await expect(files.stream(`${name}-a/2`).then((content) => new Response(content).text())).rejects.toThrow();
  });

  test("stores an empty file", async () => {
    const files = await open();
    expect(await files.put(`${name}-empty`, Readable.from([]))).toMatchObject({ bytes: 0 });
    expect(await files.size(`${name}-empty`)).toBe(0);
  });

  test("a stream that breaks leaves neither a file nor a temporary one", async () => {
    const directory = await folder();
    const files = await openFiles({ directory, ...(name === "bucket" && { bucket: bucket() }) });
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("connection lost");
    }
    await expect(files.put(`${name}-broken/1`, Readable.from(broken()))).rejects.toThrow("connection lost");
    expect(await files.exists(`${name}-broken/1`)).toBe(false);
    expect(await readdir(join(directory, "work")).catch(() => [])).toEqual([]);
  });

  test("local paths are readable during the work, in the order of the keys", async () => {
    const files = await open();
    await files.put(`${name}-b/1`, Readable.from(["first"]));
    await files.put(`${name}-b/2`, Readable.from(["second"]));
    const keys = [`${name}-b/2`, `${name}-b/1`];
    const read = (paths: string[]) => Promise.all(paths.map((path) => readFile(path, "utf8")));
    expect(await files.withLocalPaths(keys, read)).toEqual(["second", "first"]);
  });

  test("a temporary file moves into the store", async () => {
    const files = await open();
    const path = await files.workPath("made");
    await writeFile(path, "made");
    await files.adopt(`${name}-c/made`, path);
    expect(await text(files, `${name}-c/made`)).toBe("made");
    await expect(readFile(path)).rejects.toThrow("ENOENT");
  });

  test("old temporary files are cleared, young ones stay", async () => {
    const files = await open();
    const path = await files.workPath("young");
    await writeFile(path, "");
    await files.clearWork(minutesInMs(1));
    expect(await readFile(path, "utf8")).toBe("");
    await files.clearWork(0);
    await expect(readFile(path)).rejects.toThrow("ENOENT");
  });

  test("lists a folder, and removes it with its content and no neighbour", async () => {
    const files = await open();
    for (const key of ["d/1", "d/1.drawn/1.small.webp", "d/2", "d2/1"]) {
      await files.put(`${name}-${key}`, Readable.from([key]));
    }
    expect((await Array.fromAsync(files.list(`${name}-d`))).toSorted()).toEqual(["1", "1.drawn", "2"]);
    const keys: string[] = [];
    for await (const key of files.keys()) if (key.startsWith(`${name}-d`)) keys.push(key);
    expect(keys.toSorted()).toEqual(["d/1", "d/1.drawn/1.small.webp", "d/2", "d2/1"].map((key) => `${name}-${key}`));
    await files.remove(`${name}-d/2`);
    await files.removeAll(`${name}-d/1.drawn`);
    expect(await Array.fromAsync(files.list(`${name}-d`))).toEqual(["1"]);
    await files.removeAll(`${name}-d`);
    expect(await Array.fromAsync(files.list(`${name}-d`))).toEqual([]);
    expect(await Array.fromAsync(files.list(`${name}-d2`))).toEqual(["1"]);
    await files.removeAll(`${name}-d2/1`);
    expect(await Array.fromAsync(files.list(`${name}-d2`))).toEqual([]);
    // Two processes may sweep at once.
    await files.remove(`${name}-d2/1`);
    await files.removeAll(`${name}-d2`);
  });

  test("knows when a file and its folder last changed; a missing one counts as new", async () => {
    const files = await open();
    const before = Date.now() - 2000;
    await files.put(`${name}-e/1`, Readable.from(["x"]));
    for (const key of [`${name}-e`, `${name}-e/1`]) expect(await files.changedAt(key)).toBeGreaterThan(before);
    expect(await files.changedAt(`${name}-gone`)).toBeGreaterThanOrEqual(before);
  });
});

test("a bucket gets a file again whose connection broke, and what breaks twice fails", async () => {
  const files = await openFiles({ directory: await folder(), bucket: bucket() });
  let broken = 0;
  s3.beforeRequest = ({ method, socket }) => {
    if (method === "PUT" && broken++ < 1) socket.destroy();
  };
  await files.put("again/1", Readable.from(["whole"]));
  expect([broken, await text(files, "again/1")]).toEqual([2, "whole"]);
  s3.beforeRequest = ({ socket }) => void socket.destroy();
  await expect(files.put("again/2", Readable.from(["whole"]))).rejects.toThrow("hang up");
  s3.beforeRequest = () => {};
});
