import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { ZipFile } from "yazl";
import { fold } from "#lib/text.ts";
import type { Files } from "#lib/storage/files/files.ts";

/** A stored file with its name in the archive. */
export type Zipped = { key: string; name: string; bytes: number; at: Date };

/** A text with its name in the archive. */
type ZippedText = { name: string; text: string; at: Date };

/** Names of Windows' devices, with every ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Gives files names that lead into no folder, are some on Windows too, and that no other file of the archive has. */
export function freeNames() {
  const names = new Set<string>();
  return (wanted: string, ending: string) => {
    const base = wanted.replace(/[\\/:*?"<>|\p{Cc}]/gu, "-").replace(devices, "$1-");
    let name = base;
    for (let n = 2; names.has(fold(name)); n++) name = `${base} (${n})`;
    names.add(fold(name));
    return name + ending;
  };
}

/** A ZIP archive of stored files, uncompressed, which is read from the store while it is sent; and its size. */
export async function zipOf(
  files: Files,
  zipped: Zipped[],
  texts: ZippedText[] = [],
): Promise<{ stream: ReadableStream; bytes: number }> {
  const archive = new ZipFile();
  for (const { name, text, at } of texts) archive.addBuffer(Buffer.from(text), name, { compress: false, mtime: at });
  const output = archive.outputStream as Readable;
  let current: Readable | undefined;
  // A client that leaves closes the file that is being sent.
  const leave = () => {
    output.destroy();
    current?.destroy();
  };
  const open = async (key: string) => {
    current = Readable.fromWeb((await files.stream(key)) as WebStream);
    if (output.destroyed) current.destroy();
    return current;
  };
  for (const { key, name, bytes, at } of zipped) {
    // Opened one after the other, as they are sent.
    archive.addReadStreamLazy(name, { size: bytes, compress: false, mtime: at }, (use) => {
      open(key).then(
        (source) => use(null, source),
        (error: unknown) => use(error, undefined as never),
      );
    });
  }
  archive.on("error", (error: Error) => output.destroy(error));
  const bytes = await sizeAtEnd(archive, isLongList([...texts, ...zipped]));
  const chunks = output[Symbol.asyncIterator]();
  // Not Readable.toWeb, whose stream throws an error that nothing catches if data come after the client has left.
  const stream = new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: leave,
  });
  return { stream, bytes };
}

/** An entry of the archive's list, without its name. */
const entryBytes = 55;

/** For lists from 64 KiB the library announces the long format, which it then uses only if that is set. */
const isLongList = (zipped: { name: string }[]) =>
  zipped.reduce((bytes, { name }) => bytes + entryBytes + Buffer.byteLength(name), 0) >= 0xffff;

/** Ends the archive. The types of yazl lack the size that its callback gets. */
const sizeAtEnd = (archive: ZipFile, forceZip64Format: boolean) =>
  new Promise<number>((resolve) => {
    archive.end({ forceZip64Format, comment: "" }, resolve as () => void);
  });
