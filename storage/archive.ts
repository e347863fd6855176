import { createHash } from "node:crypto";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { measuring, type Stored } from "./files.ts";

/**
 * A tar file that can be told to be whole. After every thousand entries comes one with their sizes and SHA-256, and the
 * last, `end.json`, has the number of all entries and the hash of all those sums. It is written and read from one end to
 * the other, and little of it is ever in memory.
 */

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export type ArchiveWriter = {
  /** Adds a text. */
  add(name: string, text: string): Promise<void>;
  /** Adds a stream and returns its SHA-256. One that does not have exactly `bytes` bytes spoils the archive and throws. */
  addStream(name: string, bytes: number, content: Content): Promise<string>;
};

/** It is cut off, changed, or no archive at all. The message ends a sentence that begins with what was read. */
export class DamagedArchive extends Error {}

const sumsEvery = 1000;
const lastName = "end.json";

/** Writes an archive to a stream and ends that; returns what `fill` did. What `fill` throws breaks it off. */
export async function writeArchive<Filled>(
  to: Writable,
  { gzip, signal }: { gzip: boolean; signal: AbortSignal },
  fill: (archive: ArchiveWriter) => Promise<Filled>,
): Promise<Filled> {
  const packed = pack();
  const source = packed as unknown as Readable;
  const written = gzip ? pipeline(source, createGzip(), to, { signal }) : pipeline(source, to, { signal });
  written.catch(() => {}); // heard below
  const sums = summing();

  async function put(name: string, size: number, content: Content) {
    const measured = measuring();
    await pipeline(measured.pass(content), packed.entry({ name, size, mode: 0o600 }));
    return measured.result();
  }
  const putText = (name: string, text: string) => put(name, Buffer.byteLength(text), [Buffer.from(text)]);
  async function putSums() {
    const { name, text } = sums.take();
    await putText(name, text);
  }
  async function noted(name: string, putting: Promise<Stored>) {
    const measured = await putting;
    sums.note(name, measured);
    if (sums.waiting() === sumsEvery) await putSums();
    return measured.sha256;
  }
  let filled: Filled;
  try {
    filled = await fill({
      add: async (name, text) => void (await noted(name, putText(name, text))),
      addStream: (name, bytes, content) => noted(name, put(name, bytes, content)),
    });
    await putSums();
    await putText(lastName, sums.end());
    packed.finalize();
  } catch (error) {
    packed.destroy(error as Error);
    // That nothing could be written is the reason, where it is one, and not that an entry was cut off by it.
    await written;
    throw error;
  }
  await written;
  return filled;
}

export type Entry = { name: string; content: AsyncIterable<Buffer> };

/**
 * Goes through the entries of an archive, in order. What of an entry's content is not read is checked all the same.
 * Throws `DamagedArchive`, at the latest after the last entry: until then, what was read is not known to be right.
 */
export async function* readArchive(from: Readable, signal: AbortSignal): AsyncGenerator<Entry> {
  const entries = extract();
  const unpacked = unpack(from, entries, signal);
  // What can't be opened sends nothing, not even an end.
  unpacked.catch((error: Error) => entries.destroy(error));
  const sums = summing();
  let hasEnded = false;
  const reason = (error: unknown) => {
    if (signal.aborted) return signal.reason as Error;
    if (error instanceof DamagedArchive || (error as { syscall?: string }).syscall) return error;
    return new DamagedArchive(`can’t be read as a backup (${(error as Error).message})`);
  };
  async function* told(entry: AsyncIterable<Buffer>) {
    try {
      yield* entry;
    } catch (error) {
      throw reason(error);
    }
  }
  try {
    for await (const source of entries) {
      const { name } = source.header;
      const entry = source as AsyncIterable<Buffer>;
      if (hasEnded) throw new DamagedArchive("has something after its end");
      if (name === lastName) {
        if ((await textOf(entry)) !== sums.end()) throw new DamagedArchive("is not as it was written");
        hasEnded = true;
      } else if (name.startsWith("sums/")) {
        const expected = sums.take();
        if (name !== expected.name || (await textOf(entry)) !== expected.text)
          throw new DamagedArchive("is not as it was written");
      } else {
        const measured = measuring();
        const content = measured.pass(told(entry));
        yield { name, content };
        for await (const _ of content);
        sums.note(name, measured.result());
      }
    }
    await unpacked;
  } catch (error) {
    throw reason(error);
  } finally {
    from.destroy();
  }
  if (!hasEnded) throw new DamagedArchive("is cut off: its end is missing");
}

/** Whether it was made smaller is told by how it begins, so that it may come by a pipe, without a name. */
async function unpack(from: Readable, entries: ReturnType<typeof extract>, signal: AbortSignal) {
  const chunks = from[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await chunks.next();
  const isGzip = !first.done && first.value[0] === 0x1f;
  async function* whole() {
    if (!first.done) yield first.value;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  await pipeline([Readable.from(whole()), ...(isGzip ? [createGunzip()] : []), entries], { signal });
}

/** The sums of an archive, made in the same way while it is written and while it is read. */
function summing() {
  const all = createHash("sha256");
  let [entries, taken] = [0, 0];
  let lines: string[] = [];
  return {
    waiting: () => lines.length,
    note(name: string, measured: Stored) {
      entries++;
      lines.push(`${JSON.stringify({ name, ...measured })}\n`);
    },
    take() {
      const text = lines.join("");
      lines = [];
      all.update(text);
      return { name: `sums/${++taken}.ndjson`, text };
    },
    end: () => JSON.stringify({ entries, sha256: all.copy().digest("hex") }),
  };
}

async function textOf(content: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
