import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { megabytesInBytes } from "#units";
import { openFolder } from "./folder.ts";
import { NoRoom, withReserve } from "./reserve.ts";
import { troubleOf } from "./trouble.ts";

const megabyte = megabytesInBytes(1);
const reserve = 100 * megabyte;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "sealdesk-reserve-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** A store on a disk that has so many bytes free. */
function onDisk(free: () => number) {
  return withReserve(openFolder(directory), reserve, async () => free());
}

const content = (megabytes: number) => Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(megabyte)));

test("nothing is stored once the reserve is reached, and what is there is read", async () => {
  let free = reserve;
  const files = onDisk(() => free);
  expect(await files.put("documents/a/1", content(1))).toMatchObject({ bytes: megabyte });
  free--;
  await expect(files.put("documents/a/2", content(1))).rejects.toThrow(NoRoom);
  expect(await files.list("documents/a")).toEqual(["1"]);
  expect(await files.size("documents/a/1")).toBe(megabyte);
});

test("a file that reaches the reserve while it arrives is refused, and nothing of it stays", async () => {
  let free = reserve + 20 * megabyte;
  const files = onDisk(() => (free -= 16 * megabyte));
  const refusal = await files.put("documents/a/1", content(64)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NoRoom);
  expect(troubleOf(refusal)).toBe("no room");
  expect(await files.list("documents/a")).toEqual([]);
});

test("room is asked for before a file arrives whose length is known", async () => {
  const files = onDisk(() => reserve + 10 * megabyte);
  await files.ensureRoom(10 * megabyte);
  await expect(files.ensureRoom(10 * megabyte + 1)).rejects.toThrow(NoRoom);
});

test("what is made from files may take half of the reserve, and health checks all of it", async () => {
  let free = reserve / 2;
  const files = onDisk(() => free);
  await files.workPath("drawing");
  free--;
  await expect(files.workPath("drawing")).rejects.toThrow(NoRoom);
  await files.put("work/ready", content(1));
});

test("without a reserve the disk is not looked at", async () => {
  const files = withReserve(openFolder(directory), 0, () => Promise.reject(new Error("looked at")));
  expect(await files.put("documents/a/1", content(20))).toMatchObject({ bytes: 20 * megabyte });
});
