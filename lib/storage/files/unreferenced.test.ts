import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { openFiles } from "./open-files.ts";
import { removeUnreferenced } from "./unreferenced.ts";

const hourMs = 3_600_000;

test("removes what no record references, unless it is younger than the given age", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-unreferenced-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const files = await openFiles({ directory });
  const put = (key: string) => files.put(key, Readable.from([Buffer.from("x")]));
  const old = new Date(Date.now() - 2 * hourMs);
  const referenced = Array.from({ length: 600 }, (_, n) => `images/${n}`);
  for (const key of [...referenced, "images/old", "images/young", "imagesbeside"]) await put(key);
  for (const key of [...referenced, "images/old", "imagesbeside"]) await utimes(join(directory, key), old, old);
  const removed: string[] = [];
  await removeUnreferenced(files, "images", {
    before: Date.now() - hourMs,
    referenced: async (keys) => referenced.filter((key) => keys.includes(key)),
    onRemoved: (key) => removed.push(key),
  });
  expect(removed).toEqual(["images/old"]);
  expect((await Array.fromAsync(files.list("images"))).toSorted()).toEqual(
    [...referenced.map((key) => key.slice(7)), "young"].toSorted(),
  );
  expect(await files.exists("imagesbeside")).toBe(true);
});

test("a file that comes during a sweep stays, however long that takes, as its record is not looked up again", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-unreferenced-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const files = await openFiles({ directory });
  const put = (key: string) => files.put(key, Readable.from([Buffer.from("x")]));
  const before = Date.now() - 1000;
  await put("images/during");
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + hourMs);
  onTestFinished(() => clock.mockRestore());
  await removeUnreferenced(files, "images", { before, referenced: async () => [] });
  expect(await files.exists("images/during")).toBe(true);
});
