import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Files } from "#storage/files.ts";
import { zipOf } from "./zip.ts";

/** A store of files that are longer than any buffer, which counts those that are open. */
function longFiles(bytes: number) {
  let open = 0;
  const stream = async () => {
    let left = bytes;
    open++;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        await setImmediate();
        const chunk = new Uint8Array(Math.min(left, 60_000));
        left -= chunk.length;
        controller.enqueue(chunk);
        if (left > 0) return;
        open--;
        controller.close();
      },
      cancel: () => void open--,
    });
  };
  return { files: { stream } as unknown as Files, isClosed: () => open === 0 };
}

const at = new Date("2026-11-25T12:00:00Z");
const zipped = (bytes: number) => ["1.pdf", "2.pdf"].map((name) => ({ key: name, name, bytes, at }));

test("an archive has the size that it was announced with", async () => {
  const { files, isClosed } = longFiles(500_000);
  const { stream, bytes } = await zipOf(files, zipped(500_000));
  expect((await new Response(stream).arrayBuffer()).byteLength).toBe(bytes);
  expect(isClosed()).toBe(true);
});

test("a client that leaves in the middle closes the file, and nothing fails later", async () => {
  const { files, isClosed } = longFiles(5_000_000);
  for (const chunks of [0, 1, 3, 20]) {
    const { stream } = await zipOf(files, zipped(5_000_000));
    const reader = stream.getReader();
    for (let n = 0; n < chunks; n++) await reader.read();
    await reader.cancel();
    // What is still on its way comes after that.
    for (let n = 0; n < 100; n++) await setImmediate();
    expect(isClosed(), `after ${chunks} chunks`).toBe(true);
  }
});
