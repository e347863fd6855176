import { createHash } from "node:crypto";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { extract, pack } from "tar-stream";
import { measureStream, type Stored } from "./files.ts";

/** A streamed tar file with the checksums of each thousand entries, and of all at its end. */

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export type ArchiveWriter = {
  add(name: string, text: string): Promise<void>;
  /** Returns the SHA-256 of the content. Throws, and spoils the archive, unless it has exactly `bytes` bytes. */
  addStream(name: string, bytes: number, content: Content): Promise<string>;
};

/** The archive is truncated, changed, or no archive. The message is a predicate: `The backup ${message}.` */
export class DamagedArchive extends Error {}

const sumsEvery = 1000;
const lastName = "end.json";

export async function writeArchive<Filled>(
  to: Writable,
  { gzip, signal }: { gzip: boolean; signal: AbortSignal },
  fill: (archive: ArchiveWriter) => Promise<Filled>,
): Promise<Filled> {
  const packed = pack();
  const source = packed as unknown as Readable;
  const written = gzip ? pipeline(source, createGzip(), to, { signal }) : pipeline(source, to, { signal });
  written.catch(() => {}); // awaited below
  const sums = createChecksums();

  async function put(name: string, size: number, content: Content) {
    const measured = measureStream();
    await pipeline(measured.pass(content), packed.entry({ name, size, mode: 0o600 }));
    return measured.result();
  }
  const putText = (name: string, text: string) => put(name, Buffer.byteLength(text), [Buffer.from(text)]);
  async function putSums() {
    const { name, text } = sums.take();
    await putText(name, text);
  }
  async function record(name: string, putting: Promise<Stored>) {
    const measured = await putting;
    sums.record(name, measured);
    if (sums.waiting() === sumsEvery) await putSums();
    return measured.sha256;
  }
  let filled: Filled;
  try {
    filled = await fill({
      add: async (name, text) => void (await record(name, putText(name, text))),
      addStream: (name, bytes, content) => record(name, put(name, bytes, content)),
    });
    await putSums();
    await putText(lastName, sums.end());
    packed.finalize();
  } catch (error) {
    packed.destroy(error as Error);
    // A failed write is the cause, and the cut entry its consequence.
    await written;
    throw error;
  }
  await written;
  return filled;
}

export type ArchiveEntry = { name: string; content: AsyncIterable<Buffer> };

/** The entries of an archive, all checked, even if content is not read. Throws `DamagedArchive`, at the latest at the end. */
export async function* readArchive(from: Readable, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const entries = extract();
  const unpacked = unpack(from, entries, signal);
  // Otherwise the loop below waits for ever for an entry.
  unpacked.catch((error: Error) => entries.destroy(error));
  const sums = createChecksums();
  let hasEnded = false;
  let current: string | undefined;
  const reason = async (failure: unknown) => {
    if (signal.aborted) return signal.reason as Error;
    if (failure instanceof DamagedArchive) return failure;
    // A reader may only learn that the stream was destroyed.
    const error: unknown = await unpacked.then(
      () => failure,
      (cause) => cause,
    );
    if ((error as { syscall?: string }).syscall) return error;
    const place = current === undefined ? "" : ` at ${current}`;
    return new DamagedArchive(`can’t be read as a backup (${(error as Error).message})${place}`);
  };
  async function* withReason(entry: AsyncIterable<Buffer>) {
    try {
      yield* entry;
    } catch (error) {
      throw await reason(error);
    }
  }
  try {
    for await (const source of entries) {
      const { name } = source.header;
      current = name;
      const entry = source as AsyncIterable<Buffer>;
      if (hasEnded) throw new DamagedArchive("continues after its end");
      if (name === lastName) {
        if ((await textOf(entry)) !== sums.end()) throw new DamagedArchive("does not match its checksums");
        hasEnded = true;
      } else if (name.startsWith("sums/")) {
        const [read, written] = [sums.take(), await textOf(entry)];
        if (name !== read.name || written !== read.text) {
          throw new DamagedArchive(`does not match its checksums${firstDifference(read.text, written)}`);
        }
      } else {
        const measured = measureStream();
        const content = measured.pass(withReason(entry));
        yield { name, content };
        for await (const _ of content);
        sums.record(name, measured.result());
      }
    }
    await unpacked;
  } catch (error) {
    throw await reason(error);
  } finally {
    from.destroy();
  }
  if (!hasEnded) throw new DamagedArchive("is truncated: its end is missing");
}

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

function createChecksums() {
  const all = createHash("sha256");
  let [entries, parts] = [0, 0];
  let lines: string[] = [];
  return {
    waiting: () => lines.length,
    record(name: string, measured: Stored) {
      entries++;
      lines.push(`${JSON.stringify({ name, ...measured })}\n`);
    },
    take() {
      const text = lines.join("");
      lines = [];
      all.update(text);
      return { name: `sums/${++parts}.ndjson`, text };
    },
    end: () => JSON.stringify({ entries, sha256: all.copy().digest("hex") }),
  };
}

/** Which of some entries has another checksum than was written. */
function firstDifference(read: string, written: string): string {
  const expected = new Set(written.split("\n"));
  const line = read.split("\n").find((one) => !expected.has(one));
  return line ? `: ${(JSON.parse(line) as { name: string }).name} is damaged` : "";
}

async function textOf(content: AsyncIterable<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
