import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Files } from "#lib/storage/files/files.ts";
import { openArchive } from "../bulk-issues/content/archive.ts";
import { temporaryFile } from "#tests/fixtures/tables.ts";
import { zipOf } from "./zip.ts";

const content = "a sealed PDF";
const files = { stream: async () => new Response(content).body! } as unknown as Files;

// From about a thousand files on, the list of them is longer than 65,535 bytes.
test.each([1, 900, 1100])("A ZIP of %i files has the size that is announced, and all of them", async (count) => {
  const at = new Date("2026-11-21T10:00:00Z");
  const zipped = Array.from({ length: count }, (_, n) => ({
    key: `${n}`,
    name: `NM-${n}.pdf`,
    bytes: content.length,
    at,
  }));
  const { stream, bytes } = await zipOf(files, zipped);
  const received = await buffer(stream);
  expect(received.length).toBe(bytes);
  const archive = await openArchive(temporaryFile(received));
  expect(archive.files).toBe(count);
  archive.close();
});
