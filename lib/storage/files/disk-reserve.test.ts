import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mebibytesInBytes } from "../../units.ts";
import { openFolder } from "./folder.ts";
import { InsufficientSpace, withReserve } from "./disk-reserve.ts";
import { storageFailureOf } from "../database/failures.ts";

const megabyte = mebibytesInBytes(1);
const reserve = 100 * megabyte;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-reserve-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** A store on a disk with `free` bytes. */
function storeWith(free: () => number) {
  return withReserve(openFolder(directory), reserve, async () => free());
}

const content = (megabytes: number) => Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(megabyte)));

test("stores nothing once the reserve is reached, and still reads", async () => {
  let free = reserve;
  const files = storeWith(() => free);
  expect(await files.put("documents/a/1", content(1))).toMatchObject({ bytes: megabyte });
  free--;
  await expect(files.put("documents/a/2", content(1))).rejects.toThrow(InsufficientSpace);
  expect(await Array.fromAsync(files.list("documents/a"))).toEqual(["1"]);
  expect(await files.size("documents/a/1")).toBe(megabyte);
});

test("a file that reaches the reserve as it arrives is refused and leaves nothing", async () => {
  let free = reserve + 20 * megabyte;
  const files = storeWith(() => (free -= 16 * megabyte));
  const refusal = await files.put("documents/a/1", content(64)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InsufficientSpace);
  expect(storageFailureOf(refusal)).toBe("no space");
  expect(await Array.fromAsync(files.list("documents/a"))).toEqual([]);
});

test("space for a known length can be checked before the file arrives", async () => {
  const files = storeWith(() => reserve + 10 * megabyte);
  await files.ensureSpace(10 * megabyte);
  await expect(files.ensureSpace(10 * megabyte + 1)).rejects.toThrow(InsufficientSpace);
});

test("derived files may use half of the reserve, and readiness checks all of it", async () => {
  let free = reserve / 2;
  const files = storeWith(() => free);
  await files.workPath("thumbnail");
  free--;
  await expect(files.workPath("thumbnail")).rejects.toThrow(InsufficientSpace);
  await files.put("work/ready", content(1));
});

test("without a reserve free space is not checked", async () => {
  const files = withReserve(openFolder(directory), 0, () => Promise.reject(new Error("checked")));
  expect(await files.put("documents/a/1", content(20))).toMatchObject({ bytes: 20 * megabyte });
});
